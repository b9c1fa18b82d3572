/* calls.c - names of x86-64 system calls, both ways, and the widths of their arguments */
#include "config.h"

#include "seccomp/calls.h"

#include <seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/names.h"

static const struct { int nr; const char *name, *widths; } known[] = {
#define CALL(number, id, letters)	{ number, #id, letters },
#include "seccomp/calls.def"
#undef CALL
};

static void set_name(struct calls *calls, int nr, const char *name)
{
	if (strlen(name) < CALLS_NAME_SIZE)
		memcpy(calls->name[nr], name, strlen(name) + 1);
}

void calls_load(struct calls *ret)
{
	*ret = (struct calls){ 0 };
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		set_name(ret, known[i].nr, known[i].name);
		ret->widths[known[i].nr] = known[i].widths;
	}
	for (int nr = 0; nr < CALLS_MAX; nr++) {
		char *name = NULL;

		if (ret->name[nr][0] == '\0')
			name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, nr);
		if (name != NULL)
			set_name(ret, nr, name);
		free(name);
	}
}

int calls_find(const struct calls *calls, const char *name)
{
	for (int nr = 0; nr < CALLS_MAX; nr++)
		if (name[0] != '\0' && strcmp(calls->name[nr], name) == 0)
			return nr;
	return -1;
}

int calls_arguments(const struct calls *calls, int nr)
{
	return calls->widths[nr] != NULL ? (int)strlen(calls->widths[nr]) : -1;
}

unsigned calls_width(const struct calls *calls, int nr, unsigned argument)
{
	if ((int)argument >= calls_arguments(calls, nr))
		return 0;
	switch (calls->widths[nr][argument]) {
	case 'h':	return 16;
	case 'i':	return 32;
	default:	return 64;
	}
}

const char *calls_nearest(const struct calls *calls, const char *name)
{
	struct nearest nearest = { .name = name };

	for (int nr = 0; nr < CALLS_MAX; nr++)
		if (calls->name[nr][0] != '\0')
			nearest_try(&nearest, calls->name[nr]);
	return nearest.best;
}
