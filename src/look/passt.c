/*
 * passt.c - look at passt
 *
 * Its long options are names in its file, each ended by a NUL (struct option of getopt_long(3)), so
 * the file tells which it knows, and no program is started for a check. A file in which not even
 * the oldest names are found is a script or something else that may start passt, and is not judged.
 */
#include "config.h"

#include "look/passt.h"

#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <unistd.h>

#include "desc/netopts.h"
#include "look/files.h"
#include "mode/passt_words.h"
#include "sys/fd.h"
#include "sys/readfile.h"

enum {
	PIECE = 64 * 1024,		/* read at a time */
	NAME_MAX_BYTES = 64,		/* of an option; kept of the piece before */
	FILE_MAX = 16 * 1024 * 1024,	/* 0.4 MB are usual */
	NAMES_MAX = 64,
};

struct names {
	const char *list[NAMES_MAX];
	bool found[NAMES_MAX];
	unsigned n;
};

static struct program find_passt(const struct nic *nic)
{
	static const char *const places[] = { "/usr/bin/passt", "/usr/local/bin/passt" };
	const char *path = netopts_get(nic, "path");

	for (unsigned i = 0; i < ARRAY_LEN(places) && !path; i++)
		path = access(places[i], F_OK) == 0 ? places[i] : NULL;
	return files_program(path ? path : places[0]);
}

static void search(struct names *names, const char *bytes, size_t len)
{
	for (unsigned i = 0; i < names->n; i++)
		if (!names->found[i])
			names->found[i] = memmem(bytes, len, names->list[i],
						 strlen(names->list[i]) + 1) != NULL;
}

/* False: it could not be read to its end. */
static bool search_file(const char *path, struct names *names)
{
	AUTO_FD fd = readfile_open(path, false);
	char buf[PIECE + NAME_MAX_BYTES];
	size_t kept = 0, done = 0;
	ssize_t n = -1;

	while (fd >= 0 && done < FILE_MAX && (n = read(fd, buf + kept, PIECE)) > 0) {
		const size_t len = kept + (size_t)n;

		search(names, buf, len);
		done += (size_t)n;
		kept = len < NAME_MAX_BYTES ? len : NAME_MAX_BYTES;
		memmove(buf, buf + len - kept, kept);
	}
	return n == 0;
}

/* "--name" or "--name=value" becomes "name"; NULL for another word. */
static const char *option_name(const char *word, struct arena *mem)
{
	const size_t len = strcspn(word, "=");

	return strncmp(word, "--", 2) == 0 && len > 2 && len - 2 < NAME_MAX_BYTES
		       ? arena_strn(mem, word + 2, len - 2)
		       : NULL;
}

/* In these two passt of every age agrees. */
static const char *const oldest[] = { "mac-addr", "no-map-gw" };

void passt_probe(const struct nic *nic, struct arena *mem, struct nic_facts *ret)
{
	struct names names = { .list = { oldest[0], oldest[1] }, .n = ARRAY_LEN(oldest) };
	const char **lacks = arena_array(mem, NAMES_MAX + 1, sizeof(*lacks));
	const char *link = netopts_get(nic, "interface");
	char **words;
	unsigned n = 0;

	ret->passt = find_passt(nic);
	if (link && if_nametoindex(link) == 0)
		ret->passt_link_err = errno;
	if (ret->passt.err != 0 || !ret->passt.regular)
		return;
	/* what is the caller's own is left to passt: a name may be cut short there */
	words = passt_words(nic, ret->passt.path, mem);
	for (unsigned i = 1; words[i] && names.n < NAMES_MAX; i++) {
		const char *name = option_name(words[i], mem);

		if (name && !passt_is_param(nic, words[i]))
			names.list[names.n++] = name;
	}
	if (!search_file(ret->passt.path, &names) || !names.found[0] || !names.found[1])
		return;
	for (unsigned i = ARRAY_LEN(oldest); i < names.n; i++)
		if (!names.found[i])
			lacks[n++] = names.list[i];
	ret->passt_lacks = lacks;
}
