/*
 * untouched.c - does a command open a terminal that it is only told about?
 *
 *	untouched COMMAND [ARGUMENT]...
 *
 * Makes a terminal that has never been opened, replaces each word "@" of the command, and each "@" within the text
 * on standard input, by its path, and runs the command in a session without a terminal. Then it says on standard
 * output "untouched" or "opened": the first open of a terminal, once closed, is a hangup on its other side for
 * good, and an open by the leader of such a session without O_NOCTTY makes it the session's terminal.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

static void die(const char *what)
{
	perror(what);
	exit(99);
}

/* Standard input with each "@" replaced, in a file without a name, as the new standard input. */
static void replace_input(const char *path)
{
	FILE *out = tmpfile();
	int c;

	if (!out)
		die("tmpfile");
	while ((c = getchar()) != EOF) {
		if (c == '@')
			fputs(path, out);
		else
			putc(c, out);
	}
	if (fflush(out) != 0 || lseek(fileno(out), 0, SEEK_SET) < 0 || dup2(fileno(out), 0) < 0)
		die("standard input");
}

static void run(char **argv, char *path)
{
	int status;
	const pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		(void)setsid();
		for (char **word = argv; *word; word++)
			if (strcmp(*word, "@") == 0)
				*word = path;
		execvp(argv[0], argv);
		die(argv[0]);
	}
	if (waitpid(pid, &status, 0) < 0)
		die("waitpid");
}

int main(int argc, char **argv)
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct pollfd pfd = { .fd = master, .events = POLLIN };
	char path[64];

	if (argc < 2 || master < 0 || grantpt(master) < 0 || unlockpt(master) < 0 || ptsname_r(master, path, sizeof(path)) != 0)
		die("terminal");
	replace_input(path);
	run(argv + 1, path);
	if (poll(&pfd, 1, 0) < 0)
		die("poll");
	puts(pfd.revents & POLLHUP ? "opened" : "untouched");
	return 0;
}
