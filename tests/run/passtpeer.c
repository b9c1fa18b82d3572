/*
 * passtpeer.c - stands in for passt and for QEMU where the real ones have no vhost-user, or would not
 * fail in the way that a test needs
 *
 * As passt (it is given --socket= or --fd=) it goes to the background when it is ready and ends after its
 * client, like passt. Words that only it knows: --late=MS sleeps before that, --no-pid writes no pid,
 * --no-socket makes no socket, --stay ignores SIGTERM and the end of its client, --drop becomes
 * nobody.
 *
 * As QEMU (all else) it connects to the path of its -chardev, and stays. With -quit it exits before that.
 * With -attack=FILE it then waits for a process id in that file, tries to get into that process and
 * says for each way how that went; and the same with a child of its own, which is not protected.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* The rest of the word that begins so, or NULL. */
static const char *find(char **argv, const char *start)
{
	for (int i = 1; argv[i]; i++)
		if (strncmp(argv[i], start, strlen(start)) == 0)
			return argv[i] + strlen(start);
	return NULL;
}

static struct sockaddr_un address(const char *path)
{
	struct sockaddr_un ret = { .sun_family = AF_UNIX };

	(void)snprintf(ret.sun_path, sizeof(ret.sun_path), "%.100s", path);
	return ret;
}

static _Noreturn void serve(char **argv, int sock, bool listening)
{
	char byte;

	(void)setsid();
	(void)close(0);
	(void)close(1);
	(void)close(2);
	if (listening)
		sock = accept(sock, NULL, NULL);
	while (read(sock, &byte, 1) > 0)
		;
	while (find(argv, "--stay"))
		(void)pause();
	exit(0);
}

static int passt(char **argv)
{
	const char *path = find(argv, "--socket="), *late = find(argv, "--late="), *pid_file = find(argv, "--pid=");
	int sock = path ? socket(AF_UNIX, SOCK_STREAM, 0) : atoi(find(argv, "--fd="));
	/* passt too opens it before it becomes another user */
	FILE *f = pid_file && !find(argv, "--no-pid") ? fopen(pid_file, "w") : NULL;
	pid_t pid;

	if (late)
		(void)usleep((unsigned)atoi(late) * 1000);
	if (find(argv, "--stay"))
		(void)signal(SIGTERM, SIG_IGN);
	if (path && !find(argv, "--no-socket")) {
		const struct sockaddr_un at = address(path);

		if (bind(sock, (const struct sockaddr *)&at, sizeof(at)) < 0 || listen(sock, 1) < 0) {
			perror("bind");
			return 1;
		}
	}
	if (find(argv, "--drop") && (setgid(65534) < 0 || setuid(65534) < 0)) {
		perror("nobody");
		return 1;
	}
	pid = fork();
	if (pid == 0)
		serve(argv, sock, path != NULL);
	if (f) {
		(void)fprintf(f, "%ld\n", (long)pid);
		(void)fclose(f);
	}
	return 0;
}

/* --- the attack ------------------------------------------------------------------------------- */

/* The same address in the launcher, in what was forked from it, and here where it is a child's. */
static char target[16] = "untouched";

static int by_mem(pid_t pid)
{
	char path[64];
	int fd, e = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDWR);
	if (fd < 0)
		return errno;
	/* a process that has another program at this address is open all the same */
	if (pwrite(fd, "x", 1, (off_t)(unsigned long)target) < 0 && errno != EIO)
		e = errno;
	(void)close(fd);
	return e;
}

static int by_vm(pid_t pid)
{
	char x = 'x';
	struct iovec from = { &x, 1 }, to = { target, 1 };

	/* EFAULT: it was let in, and nothing is at this address */
	return process_vm_writev(pid, &from, 1, &to, 1, 0) < 0 && errno != EFAULT ? errno : 0;
}

static int by_ptrace(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) < 0)
		return errno;
	(void)waitpid(pid, &status, __WALL);
	(void)ptrace(PTRACE_DETACH, pid, NULL, NULL);
	return 0;
}

static int by_file(pid_t pid, const char *name, int flags)
{
	char path[64], byte;
	int fd, e;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, flags);
	e = fd < 0 || (flags == O_RDONLY && read(fd, &byte, 1) < 0) ? errno : 0;
	if (fd >= 0)
		(void)close(fd);
	return e;
}

static int by_environ(pid_t pid)
{
	return by_file(pid, "environ", O_RDONLY);
}

static int by_maps(pid_t pid)
{
	return by_file(pid, "maps", O_RDONLY);
}

static int by_fd(pid_t pid)
{
	return by_file(pid, "fd/3", O_PATH);
}

/* Every signal that can be caught or ignored. */
static int by_signals(pid_t pid)
{
	int e = 0;

	for (int sig = 1; sig <= 64; sig++)
		if (sig != SIGKILL && sig != SIGSTOP && kill(pid, sig) < 0)
			e = errno;
	return e;
}

static void attack(const char *who, pid_t pid)
{
	static const struct { const char *name; int (*way)(pid_t pid); } ways[] = {
		{ "mem", by_mem }, { "process_vm_writev", by_vm }, { "environ", by_environ },
		{ "maps", by_maps }, { "fd", by_fd }, { "ptrace", by_ptrace },
		{ "signals", by_signals },
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		const int e = ways[i].way(pid);

		(void)printf("%s by %s: %s\n", who, ways[i].name, e ? strerror(e) : "done");
	}
}

static void attack_both(const char *file)
{
	const pid_t child = fork();
	long pid = 0;

	for (FILE *f; child > 0 && pid == 0; (void)usleep(10000)) {
		f = fopen(file, "r");
		if (!f || fscanf(f, "%ld\n", &pid) != 1)
			pid = 0;
		if (f)
			(void)fclose(f);
	}
	while (child == 0)
		(void)pause();
	attack("control", child);
	attack("keeper", (pid_t)pid);
	(void)kill(child, SIGKILL);
	(void)puts("attacked");
	(void)fflush(stdout);
}

static int qemu(char **argv)
{
	const char *chardev = find(argv, "socket,id=vu-net0,path=");

	if (find(argv, "-quit"))
		return 3;
	if (chardev) {
		const struct sockaddr_un to = address(chardev);

		if (connect(socket(AF_UNIX, SOCK_STREAM, 0), (const struct sockaddr *)&to, sizeof(to)) < 0) {
			perror(chardev);
			return 1;
		}
	}
	(void)puts("connected");
	(void)fflush(stdout);
	if (find(argv, "-attack="))
		attack_both(find(argv, "-attack="));
	for (;;)
		(void)pause();
}

int main(int argc, char **argv)
{
	(void)argc;
	return find(argv, "--socket=") || find(argv, "--fd=") ? passt(argv) : qemu(argv);
}
