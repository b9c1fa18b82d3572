/*
 * reportfile.c - write the report of a launch
 */
#include "config.h"

#include "act/reportfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/fd.h"
#include "sys/writeout.h"

static int failed(const struct desc *desc, int err, const char *what, struct diags *ds)
{
	return diag_add(ds, DIAG_REPORT_FAILED, err, KEY(NULL, "report"), desc->report_path, "%s",
			what);
}

/* A name beside the target that no other launch uses at the same time. */
static const char *beside(const char *path, struct arena *mem)
{
	return arena_printf(mem, "%s.%ld.tmp", path, (long)getpid());
}

/*
 * A link cannot take the place of an old report, a rename can: readers see the old one or the new
 * one.
 */
static bool replace(const char *self, const char *path, struct arena *mem)
{
	const char *temp = beside(path, mem);

	if (linkat(AT_FDCWD, self, AT_FDCWD, temp, AT_SYMLINK_FOLLOW) < 0)
		return false;
	if (rename(temp, path) == 0)
		return true;
	(void)unlink(temp);
	return false;
}

/*
 * A file without a name until it is whole: should this process be killed, nothing is left of it.
 * False: not possible here.
 */
static bool write_nameless(const char *path, const char *text, struct arena *mem, int *ret_fd,
			   int *ret_err)
{
	const char *dir = arena_strn(mem, path, (size_t)(strrchr(path, '/') - path) + 1);
	AUTO_FD fd = open(dir, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
	const char *self = arena_printf(mem, "/proc/self/fd/%d", fd);

	if (fd < 0)
		return false;
	*ret_err = writeout(fd, text);
	if (*ret_err != 0)
		return true;
	if (linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0 &&
	    (errno != EEXIST || !replace(self, path, mem)))
		return false;
	*ret_fd = fd_take(&fd);
	return true;
}

static int write_named(const struct desc *desc, const char *text, struct arena *mem, int *ret_fd,
		       struct diags *ds)
{
	const char *temp = beside(desc->report_path, mem);
	AUTO_FD fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int err;

	if (fd < 0)
		return failed(desc, errno, "no file can be made beside it", ds);
	err = writeout(fd, text);
	if (err == 0 && rename(temp, desc->report_path) < 0)
		err = errno;
	if (err == 0) {
		*ret_fd = fd_take(&fd);
		return 0;
	}
	(void)unlink(temp);
	return failed(desc, err, "it could not be written", ds);
}

static int write_path(const struct desc *desc, const char *text, struct arena *mem, int *ret_fd,
		      struct diags *ds)
{
	struct stat st;
	int err = 0;

	/* it was none when that was checked; /dev/null must not be replaced by a file */
	if (stat(desc->report_path, &st) == 0 && !S_ISREG(st.st_mode))
		return failed(desc, S_ISDIR(st.st_mode) ? EISDIR : 0,
			      "it has become something else than a file", ds);
	if (!write_nameless(desc->report_path, text, mem, ret_fd, &err))
		return write_named(desc, text, mem, ret_fd, ds);
	return err == 0 ? 0 : failed(desc, err, "it could not be written", ds);
}

int reportfile_write(const struct desc *desc, const char *text, struct arena *mem,
		     struct reportfile *ret, struct diags *ds)
{
	int err;

	if (desc->report_path)
		return write_path(desc, text, mem, &ret->fd, ds);
	err = writeout(desc->report_fd, text);
	return err == 0 ? 0
			: diag_add(ds, DIAG_REPORT_FAILED, err, KEY(KEY(NULL, "report"), "fd"),
				   NULL, "descriptor %d could not be written", desc->report_fd);
}

void reportfile_remove(const struct desc *desc, const struct reportfile *file)
{
	if (!desc->report_path || unlink(desc->report_path) == 0 || file->fd < 0)
		return;
	/*
	 * the ids are QEMU's by now, and the directory is not theirs; what is open needs no right
	 */
	while (ftruncate(file->fd, 0) < 0 && errno == EINTR)
		;
}
