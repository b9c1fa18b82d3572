/*
 * locks.c - who has locked a file, out of /proc/locks
 *
 *	1: FLOCK  ADVISORY  WRITE 1234 00:05:1042 0 EOF
 *
 * The device is in hexadecimal. A line with "->" after its number waits for a lock.
 */
#include "config.h"

#include "facts/locks.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " ");
}

static const char *skip_word(const char *at)
{
	return skip_blanks(at + strcspn(at, " \n"));
}

/* "00:05:1042" */
static bool is_file(const char *at, const struct node *node)
{
	char *end;

	if (strtoul(at, &end, 16) != node->fs_major || *end != ':')
		return false;
	if (strtoul(end + 1, &end, 16) != node->fs_minor || *end != ':')
		return false;
	return strtoul(end + 1, &end, 10) == node->ino && *end == ' ';
}

static bool is_lock(const char *line, const struct node *node, unsigned *ret_pid)
{
	const char *kind = skip_word(line), *pid;

	if (strncmp(kind, "FLOCK ", strlen("FLOCK ")) != 0)
		return false;
	pid = skip_word(skip_word(skip_word(kind)));
	if (!is_file(skip_word(pid), node))
		return false;
	*ret_pid = (unsigned)strtoul(pid, NULL, 10);
	return true;
}

bool locks_find(const char *lines, const struct node *node, unsigned *ret_pid)
{
	for (const char *at = lines; *at;) {
		if (is_lock(at, node, ret_pid))
			return true;
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	return false;
}

bool locks_is_queue_of(const char *fdinfo, const char *name)
{
	static const char key[] = "iff:\t";
	const char *at = strstr(fdinfo, key);
	const size_t len = strlen(name);

	return at && strncmp(at + strlen(key), name, len) == 0 && at[strlen(key) + len] == '\n';
}
