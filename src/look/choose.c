/*
 * choose.c - find a guest's descriptor in a directory
 *
 * What is judged is what was reached, by its descriptor: whatever the names lead to a moment later,
 * nobody but root and the caller can have put it there.
 *
 * Never:  goes on to the next file because one cannot be used, or opens what is not a regular file.
 */
#include "config.h"

#include "look/choose.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sys/fd.h"
#include "sys/walk.h"

enum { OTHERS_WRITE = S_IWGRP | S_IWOTH }; /* with an access list, the group's bits are its mask */
enum { LINK_MAX_LEN = 256 };

struct place {
	enum diag_id id;
	const char *path;
	struct arena *mem;
	struct diags *ds;
};

static int bad(const struct place *p, int err, const char *message)
{
	return diag_add(p->ds, p->id, err, NULL, p->path, "%s", message);
}

static int rule_owner(const struct place *p, const struct stat *st)
{
	const uid_t caller = geteuid();

	if (st->st_uid == 0 || st->st_uid == caller)
		return 0;
	(void)diag_add(p->ds, p->id, 0, NULL, p->path, "it belongs to uid %u: it must be root's%s",
		       (unsigned)st->st_uid, caller == 0 ? "" : " or the caller's");
	diag_hint(p->ds, "chown root %s", p->path);
	return -1;
}

/* sticky: what is in it can be replaced by its owner only, whoever may write. */
static int rule_trusted(const struct place *p, const struct stat *st, bool sticky)
{
	if (rule_owner(p, st) < 0)
		return -1;
	if (!(st->st_mode & OTHERS_WRITE) || (sticky && (st->st_mode & S_ISVTX)))
		return 0;
	(void)diag_add(p->ds, p->id, 0, NULL, p->path,
		       "others than its owner may write it (mode %04o)",
		       (unsigned)st->st_mode & 07777);
	diag_hint(p->ds, "chmod go-w %s", p->path);
	return -1;
}

/* --- the directory ---------------------------------------------------------------------------- */

static int cannot_reach(const struct place *p, int err)
{
	(void)bad(p, err, "the descriptors of guests cannot be reached");
	if (err == EACCES)
		diag_hint(p->ds, "make directories 0755 and files 0644, for whoever starts QEMU");
	return -1;
}

static int rule_step(const struct place *p, const struct stat *st, bool last)
{
	if (S_ISLNK(st->st_mode)) {
		(void)bad(p, 0, "a symbolic link, which is not followed");
		diag_hint(p->ds, "give the path that readlink -f %s prints", p->path);
		return -1;
	}
	if (!S_ISDIR(st->st_mode))
		return bad(p, 0, "not a directory");
	return rule_trusted(p, st, !last);
}

/* A close-on-exec descriptor of the directory, or -1 after a diag. */
static int reach(const char *path, struct arena *mem, struct diags *ds)
{
	struct place p = { DIAG_GUESTS_DIR, path[0] == '/' ? "/" : ".", mem, ds };
	const char *rest = path + strspn(path, "/");
	struct stat st;
	int dir = walk_step(WALK_HERE, p.path, &st);

	while (dir >= 0) {
		const size_t len = strcspn(rest, "/");
		AUTO_FD before = dir;

		if (rule_step(&p, &st, len == 0) < 0)
			return -1;
		if (len == 0)
			return fd_take(&before);
		p.path = arena_strn(mem, path, (size_t)(rest - path) + len);
		dir = walk_step(before, arena_strn(mem, rest, len), &st);
		if (dir < 0)
			return cannot_reach(&p, errno);
		rest += len + strspn(rest + len, "/");
	}
	return cannot_reach(&p, errno);
}

int choose_check(const char *dir, struct arena *mem, struct diags *ds)
{
	AUTO_FD fd = reach(dir, mem, ds);

	return fd < 0 ? -1 : 0;
}

bool choose_holds(void)
{
	struct stat st;

	return lstat(GUESTS_DIR, &st) == 0 || errno != ENOENT;
}

/* --- the file --------------------------------------------------------------------------------- */

static int open_regular(const struct place *p, int dir, const char *name, const struct stat *seen)
{
	struct stat st;
	AUTO_FD fd = walk_read(dir, name, seen, &st);

	if (fd < 0)
		return cannot_reach(p, errno);
	return rule_trusted(p, &st, false) < 0 ? -1 : fd_take(&fd);
}

static int open_found(const struct place *p, int dir, const char *name, const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return open_regular(p, dir, name, st);
	return bad(p, 0,
		   S_ISLNK(st->st_mode) ? "a symbolic link to a symbolic link"
					: "not a regular file");
}

/* A link to another file of the same directory. */
static int open_linked(const struct place *p, int dir, int found, const struct stat *link)
{
	char to[LINK_MAX_LEN + 1];
	struct stat st;
	const int err = rule_owner(p, link) < 0 ? -1 : walk_link(found, to, sizeof(to));

	if (err != 0)
		return err < 0 ? -1 : cannot_reach(p, err);
	if (strlen(to) == LINK_MAX_LEN || strchr(to, '/') || strcmp(to, "..") == 0)
		return bad(p, 0, "a symbolic link out of the directory");
	{
		AUTO_FD target = walk_step(dir, to, &st);

		return target < 0 ? cannot_reach(p, errno) : open_found(p, dir, to, &st);
	}
}

/* 1: it is *ret; 0: there is none of that name; -1 after a diag. */
static int try_file(int dir, const struct place *p, const char *name, int *ret)
{
	struct stat st;
	AUTO_FD found = walk_step(dir, name, &st);

	if (found < 0)
		return errno == ENOENT ? 0 : cannot_reach(p, errno);
	*ret = S_ISLNK(st.st_mode) ? open_linked(p, dir, found, &st)
				   : open_found(p, dir, name, &st);
	return *ret < 0 ? -1 : 1;
}

static int none_fits(const char *dir, const struct guest_files *files, struct arena *mem,
		     struct diags *ds)
{
	const char *list = "";

	for (unsigned i = 0; i < files->n; i++)
		list = arena_printf(mem, "%s%s%s", list, i > 0 ? " or " : "", files->names[i]);
	return diag_add(ds, DIAG_GUEST_MISSING, 0, NULL, dir,
			"no descriptor for this guest: there is no %s", list);
}

int choose_open(const char *dir, const struct guest_files *files, struct arena *mem,
		struct chosen *ret, struct diags *ds)
{
	AUTO_FD at = reach(dir, mem, ds);

	if (at < 0)
		return -1;
	for (unsigned i = 0; i < files->n; i++) {
		const char *name = files->names[i];
		const struct place p = { DIAG_GUEST_FILE, arena_printf(mem, "%s%s", dir, name), mem,
					 ds };
		int fd = -1;
		const int found = try_file(at, &p, name, &fd);

		if (found < 0)
			return -1;
		if (found == 0)
			continue;
		*ret = (struct chosen){ .fd = fd,
					.path = p.path,
					.is_default = strcmp(name, choose_default) == 0 };
		return 0;
	}
	return none_fits(dir, files, mem, ds);
}
