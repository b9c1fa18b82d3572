/*
 * passtpeer.c - stands in for passt and for QEMU where the real ones have no vhost-user, or would not
 * fail in the way that a test needs
 *
 * As passt (it is given --socket= or --fd=) it goes to the background when it is ready and ends after its
 * client, like passt. Words that only it knows: --late=MS sleeps before that, --no-pid writes no pid,
 * --no-socket makes no socket, --stay ignores SIGTERM and the end of its client.
 *
 * As QEMU (all else) it connects to the path of its -chardev, and stays. With -quit it exits before that.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
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
	pid = fork();
	if (pid == 0)
		serve(argv, sock, path != NULL);
	if (pid_file && !find(argv, "--no-pid")) {
		FILE *f = fopen(pid_file, "w");

		(void)fprintf(f, "%ld\n", (long)pid);
		(void)fclose(f);
	}
	return 0;
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
	for (;;)
		(void)pause();
}

int main(int argc, char **argv)
{
	(void)argc;
	return find(argv, "--socket=") || find(argv, "--fd=") ? passt(argv) : qemu(argv);
}
