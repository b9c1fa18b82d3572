/*
 * newfile.c - write a file so that its readers see the old one or the whole new one
 *
 * Where the file system can, the file has no name until it is whole: should this process be
 * killed, nothing is left of it. A link cannot take the place of an old file, a rename can; so the
 * new one then gets a name beside it first.
 */
#include "config.h"

#include "sys/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bounds.h"
#include "sys/fd.h"
#include "sys/writeout.h"

enum { PATH_SIZE = 4096, BESIDE_SIZE = 256 + 32 };

int newfile_open(const char *path, struct newfile *ret)
{
	const char *slash = strrchr(path, '/');
	const size_t len = slash ? (size_t)(slash - path) + 1 : 2;
	char dir[PATH_SIZE];

	*ret = (struct newfile){ .dir = -1, .name = slash ? slash + 1 : path, .step = "create" };
	if (len >= sizeof(dir))
		return ENAMETOOLONG;
	memcpy(dir, slash ? path : "./", len);
	dir[len] = '\0';
	if (ret->name[0] == '\0')
		return EISDIR;
	ret->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return ret->dir < 0 ? errno : 0;
}

void newfile_close(struct newfile *at)
{
	fd_close(&at->dir);
	at->dir = -1;
}

static int failed(struct newfile *at, const char *step)
{
	at->step = step;
	return errno;
}

/* What has the name now may be replaced: 0, or an errno. */
static int check_old(struct newfile *at)
{
	struct stat st;

	if (fstatat(at->dir, at->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : failed(at, "stat");
	at->step = "replace";
	if (S_ISREG(st.st_mode))
		return 0;
	return S_ISLNK(st.st_mode) ? ELOOP : S_ISDIR(st.st_mode) ? EISDIR : EEXIST;
}

static int fill(struct newfile *at, int fd, const struct newfile_content *content)
{
	int err;

	if (fchmod(fd, content->mode) < 0)
		return failed(at, "fchmod");
	err = writeout_bytes(fd, content->data, content->len, WRITEOUT_PATIENT);
	at->step = "write";
	if (err != 0)
		return err;
	if (content->durable && fsync(fd) < 0)
		return failed(at, "fsync");
	/* a file system may have no locks; then nothing waits for it */
	if (content->locked)
		(void)flock(fd, LOCK_EX | LOCK_NB);
	return 0;
}

/* The name beside it, which no other process uses at the same time, becomes its name. */
static int rename_over(struct newfile *at, const char *beside)
{
	int err = check_old(at);

	if (err == 0 && renameat(at->dir, beside, at->dir, at->name) < 0)
		err = failed(at, "rename");
	if (err != 0)
		(void)unlinkat(at->dir, beside, 0);
	return err;
}

/* Give the file a name; *ret_done: it has it. Else there is no way to do that here, 0. */
static int give_name(struct newfile *at, int fd, const char *beside, bool *ret_done)
{
	char self[32];

	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	*ret_done = true;
	if (linkat(AT_FDCWD, self, at->dir, at->name, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (errno == EEXIST &&
	    linkat(AT_FDCWD, self, at->dir, beside, AT_SYMLINK_FOLLOW) == 0)
		return rename_over(at, beside);
	*ret_done = false;
	return 0;
}

static int write_nameless(struct newfile *at, const struct newfile_content *content,
			  const char *beside, int *ret_fd, bool *ret_done)
{
	AUTO_FD fd = openat(at->dir, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
	int err;

	*ret_done = false;
	if (fd < 0)
		return 0;
	err = fill(at, fd, content);
	if (err == 0)
		err = give_name(at, fd, beside, ret_done);
	if (err == 0 && *ret_done)
		*ret_fd = fd_take(&fd);
	return err;
}

static int write_named(struct newfile *at, const struct newfile_content *content,
		       const char *beside, int *ret_fd)
{
	AUTO_FD fd = openat(at->dir, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			    0600);
	int err;

	if (fd < 0)
		return failed(at, "create");
	err = fill(at, fd, content);
	if (err != 0)
		(void)unlinkat(at->dir, beside, 0);
	else
		err = rename_over(at, beside);
	if (err == 0)
		*ret_fd = fd_take(&fd);
	return err;
}

int newfile_write(struct newfile *at, const struct newfile_content *content, int *ret_fd)
{
	char beside[BESIDE_SIZE];
	bool done;
	int err = check_old(at);

	if (err != 0)
		return err;
	if (snprintf(beside, sizeof(beside), "%s.%ld.tmp", at->name, (long)getpid()) >=
	    (int)sizeof(beside))
		return ENAMETOOLONG;
	err = write_nameless(at, content, beside, ret_fd, &done);
	return err != 0 || done ? err : write_named(at, content, beside, ret_fd);
}

int newfile_remove(const struct newfile *at, int fd)
{
	struct stat mine, there;

	if (fstat(fd, &mine) < 0 || fstatat(at->dir, at->name, &there, AT_SYMLINK_NOFOLLOW) < 0)
		return errno;
	if (mine.st_dev != there.st_dev || mine.st_ino != there.st_ino)
		return ESTALE;
	return unlinkat(at->dir, at->name, 0) < 0 ? errno : 0;
}
