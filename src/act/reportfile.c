/*
 * reportfile.c - write the report of a launch
 *
 * A manager reads it as the sign that QEMU was started, and it is written before that: QEMU's ids
 * may not write there. So the file is locked until QEMU is executed, and both kinds are taken back
 * where it is not.
 */
#include "config.h"

#include "act/reportfile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bounds.h"
#include "sys/writeout.h"

static int failed(const struct desc *desc, int err, const char *what, struct diags *ds)
{
	return diag_add(ds, DIAG_REPORT_FAILED, err, KEY(NULL, "report"), desc->report_path, "%s",
			what);
}

static int write_failed(const struct desc *desc, int err, const struct newfile *at,
			struct diags *ds)
{
	switch (err) {
	case ELOOP:
		return failed(desc, 0, "it has become a symbolic link", ds);
	case EEXIST:
	case EISDIR:
		return failed(desc, 0, "it is no longer a regular file", ds);
	case EFBIG:
		(void)failed(desc, err, "it could not be written", ds);
		diag_hint(ds, "raise RLIMIT_FSIZE: ulimit -f unlimited");
		return -1;
	default:
		return failed(desc, err,
			      strcmp(at->step, "create") == 0 ? "no file can be created in its "
								"directory"
							      : "it could not be written",
			      ds);
	}
}

/* The names that lead to it may have changed since it was looked at. */
static bool was_checked(const struct facts *facts, int dir)
{
	struct stat st;

	return fstat(dir, &st) == 0 && st.st_dev == facts->report_dir.dev &&
	       st.st_ino == facts->report_dir.ino;
}

static int write_path(const struct desc *desc, const struct facts *facts, const char *text,
		      struct reportfile *ret, struct diags *ds)
{
	const struct newfile_content content = {
		.data = text, .len = strlen(text), .mode = 0600, .locked = true
	};
	int err = newfile_open(desc->report_path, &ret->at);

	if (err == 0 && !was_checked(facts, ret->at.dir))
		(void)failed(desc, 0, "another directory is there than was checked", ds);
	else if (err != 0)
		(void)failed(desc, err, "its directory cannot be opened", ds);
	else if ((err = newfile_write(&ret->at, &content, &ret->fd)) != 0)
		(void)write_failed(desc, err, &ret->at, ds);
	else
		return 0;
	newfile_close(&ret->at);
	return -1;
}

static int write_fd(const struct desc *desc, const char *text, struct diags *ds)
{
	const struct where *at = KEY(KEY(NULL, "report"), "fd");
	const int err = writeout(desc->report_fd, text, WRITE_SECONDS * 1000);

	if (err == 0)
		return 0;
	if (err == ETIMEDOUT)
		return diag_add(ds, DIAG_REPORT_FAILED, 0, at, NULL,
				"descriptor %d is full, and nothing read from it for %d s",
				desc->report_fd, WRITE_SECONDS);
	return diag_add(ds, DIAG_REPORT_FAILED, err, at, NULL, "descriptor %d could not be written",
			desc->report_fd);
}

int reportfile_write(const struct desc *desc, const struct facts *facts, const char *text,
		     struct reportfile *ret, struct diags *ds)
{
	return desc->report_path ? write_path(desc, facts, text, ret, ds)
				 : write_fd(desc, text, ds);
}

void reportfile_remove(const struct desc *desc, const struct reportfile *file)
{
	static const char not_started[] = "{\"version\":1,\"started\":false}\n";

	if (desc->report_fd >= 0)
		(void)writeout(desc->report_fd, not_started, WRITE_SECONDS * 1000);
	if (file->fd < 0 || newfile_remove(&file->at, file->fd) == 0)
		return;
	/* the ids are QEMU's by now, the directory is not theirs: what is open needs no right */
	while (ftruncate(file->fd, 0) < 0 && errno == EINTR)
		;
}
