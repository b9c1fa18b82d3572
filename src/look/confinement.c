/* confinement.c - find out what can confine QEMU on this host */
#include "config.h"

#include "look/confinement.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "seccomp/filter.h"
#include "sys/fd.h"
#include "sys/landlock.h"
#include "sys/readfile.h"

static void probe_bpf(const char *path, struct arena *mem, struct bpf_facts *ret)
{
	const size_t room = (BPF_MAXINSNS + 1) * sizeof(*ret->prog);
	AUTO_FD fd = readfile_open(path, false);
	ssize_t n = 1;

	ret->prog = arena_get(mem, room);
	while (fd >= 0 && n > 0 && ret->size < room) {
		n = read(fd, (char *)ret->prog + ret->size, room - ret->size);
		ret->size += n > 0 ? (size_t)n : 0;
	}
	ret->err = fd < 0 || n < 0 ? errno : 0;
	ret->not_file = fd < 0 && ret->err == EINVAL;
	ret->len = ret->size / sizeof(*ret->prog);
}

void confinement_probe(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	const bool profile = !desc->seccomp.none && !desc->seccomp.bpf;
	const uint32_t action = !profile ? SECCOMP_RET_ALLOW
					 : filter_action_ret(desc->seccomp.action) &
							    SECCOMP_RET_ACTION_FULL;

	if ((!desc->seccomp.none || ret->terminal) &&
	    syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) < 0)
		ret->seccomp_err = errno;
	if (desc->seccomp.bpf)
		probe_bpf(desc->seccomp.bpf, mem, &ret->bpf);
	if (desc->landlock != LANDLOCK_OFF)
		ret->landlock_abi = landlock_abi();
}
