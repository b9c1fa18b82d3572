/*
 * starter.c - start a program that goes to the background, and learn which process it became
 *
 * Its first process ends when it is ready, and the second becomes the child of the next subreaper:
 * with us as one it would be QEMU's child, which QEMU does not expect. So a process between is the
 * subreaper for that moment. It reads its list of children (Linux 4.2, CONFIG_PROC_CHILDREN) and
 * ends, and the program goes to the next subreaper, as it would without it.
 */
#include "config.h"

#include "act/starter.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/coverage.h"
#include "sys/fd.h"
#include "sys/readfile.h"
#include "sys/rights.h"

/* The only child; 0: there is none, more than one, or no list. */
static pid_t only_child(void)
{
	char list[64], *end;
	long pid;

	if (readfile_kernel("/proc/thread-self/children", list, sizeof(list)) != 0)
		return 0;
	pid = strtol(list, &end, 10);
	return pid > 1 && (*end == '\0' || (*end == ' ' && end[1] == '\0')) ? (pid_t)pid : 0;
}

static _Noreturn void between(const struct child_start *how, int talk)
{
	struct starter_result result = { 0 };
	const bool reaper = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;

	result.err = child_start(&result.child, how);
	if (result.err == 0) {
		child_wait(&result.child);
		if (reaper && !result.child.timed_out && result.child.status == 0)
			result.pid = only_child();
	}
	(void)rights_send(talk, &result, sizeof(result), -1);
	coverage_save();
	_exit(0);
}

int starter_run(const struct child_start *how, int ours, struct starter_result *ret)
{
	struct rights rights = { 0 };
	int talk[2], err = 0;
	ssize_t n;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk) < 0)
		return errno;
	pid = fork();
	if (pid == 0) {
		(void)close(ours);
		(void)close(talk[0]);
		between(how, talk[1]);
	}
	if (pid < 0)
		err = errno;
	(void)close(talk[1]);
	n = pid < 0 ? -1 : rights_receive(talk[0], ret, sizeof(*ret), 0, &rights);
	if (pid > 0 && n != (ssize_t)sizeof(*ret))
		err = n < 0 ? errno : ECHILD;
	rights_close(&rights);
	(void)close(talk[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return err;
}
