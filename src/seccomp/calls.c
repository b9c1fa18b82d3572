/* calls.c - names of x86-64 system calls, both ways */
#include "config.h"

#include "seccomp/calls.h"

#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seccomp/policy.h"

static void set_name(struct calls *calls, int nr, const char *name)
{
	if (strlen(name) < CALLS_NAME_MAX)
		memcpy(calls->name[nr], name, strlen(name) + 1);
}

void calls_load(struct calls *ret)
{
	*ret = (struct calls){ 0 };
	for (int nr = 0; nr < CALLS_MAX; nr++) {
		char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, nr);

		if (name != NULL)
			set_name(ret, nr, name);
		free(name);
	}
	for (size_t i = 0; i < policy_qemu_len; i++)
		set_name(ret, policy_qemu[i].nr, policy_qemu[i].name);
}

int calls_find(const struct calls *calls, const char *name)
{
	for (int nr = 0; nr < CALLS_MAX; nr++)
		if (name[0] != '\0' && strcmp(calls->name[nr], name) == 0)
			return nr;
	return -1;
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	if (b < a)
		a = b;
	return c < a ? c : a;
}

unsigned calls_distance(const char *a, const char *b)
{
	unsigned row[CALLS_NAME_MAX + 1];
	const size_t na = strlen(a), nb = strlen(b);

	if (na > CALLS_NAME_MAX || nb > CALLS_NAME_MAX)
		return CALLS_NAME_MAX;
	for (unsigned j = 0; j <= nb; j++)
		row[j] = j;
	for (unsigned i = 1; i <= na; i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (unsigned j = 1; j <= nb; j++) {
			const unsigned above = row[j];

			row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[nb];
}

const char *calls_nearest(const struct calls *calls, const char *name)
{
	unsigned best = 1 + (unsigned)strlen(name) / 3;
	const char *ret = NULL;

	for (int nr = 0; nr < CALLS_MAX; nr++) {
		const unsigned d = calls->name[nr][0] != '\0' ? calls_distance(name, calls->name[nr])
							      : CALLS_NAME_MAX;

		if (d < best || (d == best && ret == NULL)) {
			best = d;
			ret = calls->name[nr];
		}
	}
	return ret;
}
