/*
 * test_newfile.c - a file is made, replaced and removed in the directory that was opened
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/newfile.h"
#include "unit.h"

struct place {
	char top[64], path[128], other[128];
	struct newfile at;
	int fd;
};

static void place_make(struct place *p)
{
	char dir[96];

	(void)snprintf(p->top, sizeof(p->top), "/tmp/qh-newfile.XXXXXX");
	assert_non_null(mkdtemp(p->top));
	(void)snprintf(dir, sizeof(dir), "%s/dir", p->top);
	assert_int_equal(mkdir(dir, 0700), 0);
	(void)snprintf(p->path, sizeof(p->path), "%s/dir/report", p->top);
	(void)snprintf(p->other, sizeof(p->other), "%s/dir/other", p->top);
	p->fd = -1;
	assert_int_equal(newfile_open(p->path, &p->at), 0);
}

static void place_remove(struct place *p)
{
	char command[128];

	newfile_close(&p->at);
	if (p->fd >= 0)
		(void)close(p->fd);
	(void)snprintf(command, sizeof(command), "rm -rf %s", p->top);
	assert_int_equal(system(command), 0);
}

static int put(struct place *p, const char *text)
{
	const struct newfile_content content = {
		.data = text, .len = strlen(text), .mode = 0600, .locked = true
	};

	return newfile_write(&p->at, &content, &p->fd);
}

static const char *content_of(const char *path)
{
	static char text[64];
	FILE *f = fopen(path, "r");
	size_t n;

	if (!f)
		return "none";
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	(void)fclose(f);
	return text;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	(void)fputs(text, f);
	(void)fclose(f);
}

static void made_and_removed(void **state)
{
	struct place p;

	(void)state;
	place_make(&p);
	assert_int_equal(put(&p, "new"), 0);
	assert_string_equal(content_of(p.path), "new");
	assert_int_equal(newfile_remove(&p.at, p.fd), 0);
	assert_string_equal(content_of(p.path), "none");
	place_remove(&p);
}

static void a_file_is_replaced(void **state)
{
	struct place p;

	(void)state;
	place_make(&p);
	write_file(p.path, "old");
	assert_int_equal(link(p.path, p.other), 0);
	assert_int_equal(put(&p, "new"), 0);
	assert_string_equal(content_of(p.path), "new");
	assert_string_equal(content_of(p.other), "old");
	place_remove(&p);
}

static void nothing_else_is_replaced(void **state)
{
	struct place p;
	struct stat st;

	(void)state;
	place_make(&p);
	write_file(p.other, "target");
	assert_int_equal(symlink("other", p.path), 0);
	assert_int_equal(put(&p, "new"), ELOOP);
	assert_int_equal(lstat(p.path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_string_equal(content_of(p.other), "target");
	assert_int_equal(unlink(p.path), 0);
	assert_int_equal(symlink("nowhere", p.path), 0);
	assert_int_equal(put(&p, "new"), ELOOP);
	assert_int_equal(unlink(p.path), 0);
	assert_int_equal(mkdir(p.path, 0700), 0);
	assert_int_equal(put(&p, "new"), EISDIR);
	assert_int_equal(rmdir(p.path), 0);
	assert_int_equal(mkfifo(p.path, 0600), 0);
	assert_int_equal(put(&p, "new"), EEXIST);
	assert_int_equal(p.fd, -1);
	place_remove(&p);
}

/* The names that led to the directory lead to another one by now. */
static void the_directory_is_held(void **state)
{
	char dir[96], away[96], there[128];
	struct place p;

	(void)state;
	place_make(&p);
	(void)snprintf(dir, sizeof(dir), "%s/dir", p.top);
	(void)snprintf(away, sizeof(away), "%s/away", p.top);
	(void)snprintf(there, sizeof(there), "%s/away/report", p.top);
	assert_int_equal(rename(dir, away), 0);
	assert_int_equal(mkdir(dir, 0700), 0);
	write_file(p.path, "not ours");
	assert_int_equal(put(&p, "new"), 0);
	assert_string_equal(content_of(p.path), "not ours");
	assert_string_equal(content_of(there), "new");
	assert_int_equal(newfile_remove(&p.at, p.fd), 0);
	assert_string_equal(content_of(p.path), "not ours");
	assert_string_equal(content_of(there), "none");
	place_remove(&p);
}

static void what_took_its_place_stays(void **state)
{
	struct place p;

	(void)state;
	place_make(&p);
	assert_int_equal(put(&p, "new"), 0);
	write_file(p.other, "not ours");
	assert_int_equal(rename(p.other, p.path), 0);
	assert_int_equal(newfile_remove(&p.at, p.fd), ESTALE);
	assert_string_equal(content_of(p.path), "not ours");
	place_remove(&p);
}

static void locked_until_it_is_closed(void **state)
{
	struct place p;
	int fd;

	(void)state;
	place_make(&p);
	assert_int_equal(put(&p, "new"), 0);
	fd = open(p.path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_SH | LOCK_NB), -1);
	(void)close(p.fd);
	p.fd = -1;
	assert_int_equal(flock(fd, LOCK_SH | LOCK_NB), 0);
	(void)close(fd);
	place_remove(&p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(made_and_removed),
		cmocka_unit_test(a_file_is_replaced),
		cmocka_unit_test(nothing_else_is_replaced),
		cmocka_unit_test(the_directory_is_held),
		cmocka_unit_test(what_took_its_place_stays),
		cmocka_unit_test(locked_until_it_is_closed),
	};

	return UNIT_RUN(tests, argc, argv);
}
