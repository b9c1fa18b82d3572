/*
 * boxed.c - run in QEMU's place, tries files
 *
 *   boxed ACT PATH...    read, write, truncate, create, remove, list: for each path one line,
 *                        "ACT PATH: ok" or the errno's text; other words are passed over
 *
 * Knows nothing of who started it. What was made stays: the test looks.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int opened(const char *path, int flags)
{
	const int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		return -1;
	return close(fd);
}

static int act_read(const char *path)
{
	return opened(path, O_RDONLY);
}

static int act_write(const char *path)
{
	return opened(path, O_WRONLY);
}

static int act_create(const char *path)
{
	return opened(path, O_WRONLY | O_CREAT | O_EXCL);
}

static int act_truncate(const char *path)
{
	return truncate(path, 0);
}

static int act_list(const char *path)
{
	DIR *dir = opendir(path);

	return dir ? closedir(dir) : -1;
}

static int act_bind(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(to.sun_path, sizeof(to.sun_path), "%s", path);
	return fd < 0 ? -1 : bind(fd, (const struct sockaddr *)&to, sizeof(to));
}

static const struct {
	const char *name;
	int (*act)(const char *path);
} acts[] = {
	{ "read", act_read },	      { "write", act_write },	{ "create", act_create },
	{ "truncate", act_truncate }, { "remove", unlink },	{ "list", act_list },
	{ "bind", act_bind },
};

int main(int argc, char **argv)
{
	int (*act)(const char *path) = NULL;
	const char *name = "";

	for (int i = 1; i < argc; i++) {
		for (size_t a = 0; a < sizeof(acts) / sizeof(acts[0]); a++)
			if (strcmp(argv[i], acts[a].name) == 0) {
				act = acts[a].act;
				name = argv[i];
			}
		if (!act || argv[i][0] != '/')
			continue;
		errno = 0;
		(void)printf("%s %s: %s\n", name, argv[i],
			     act(argv[i]) == 0 ? "ok" : strerror(errno));
	}
	return 0;
}
