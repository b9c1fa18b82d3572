/*
 * acl.c - the grammar of qemu-bridge-helper's access list
 */
#include "config.h"

#include "facts/acl.h"

#include <string.h>

#include "base/bounds.h"

/* g_ascii_isspace() of GLib: not the vertical tab. */
static const char blanks[] = " \t\n\f\r";

enum { NAME_MAX_BYTES = 15 };

size_t acl_piece(const char *text, size_t len)
{
	const size_t most = len < ACL_PIECE_MAX ? len : ACL_PIECE_MAX;
	const char *end = memchr(text, '\n', most);

	return end ? (size_t)(end - text) + 1 : most;
}

static enum acl_word word_of(const char *text)
{
	static const struct { const char *text; enum acl_word word; } words[] = {
		{ "allow", ACL_WORD_ALLOW },
		{ "deny", ACL_WORD_DENY },
		{ "include", ACL_WORD_INCLUDE },
	};

	for (unsigned i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(text, words[i].text) == 0)
			return words[i].word;
	return ACL_WORD_BAD;
}

struct acl_rule acl_read_rule(char *piece)
{
	char *word = piece + strspn(piece, blanks), *arg;
	size_t len;

	if (*word == '#' || *word == '\0')
		return (struct acl_rule){ .word = ACL_WORD_NONE };
	/* the first blank ends the word; a tab does so only where there is no blank at all */
	arg = strchr(word, ' ');
	arg = arg ? arg : strchr(word, '\t');
	if (!arg)
		return (struct acl_rule){ .word = ACL_WORD_BAD };
	*arg++ = '\0';
	arg += strspn(arg, blanks);
	len = strlen(arg);
	while (len > 0 && strchr(blanks, arg[len - 1]))
		len--;
	arg[len] = '\0';
	return (struct acl_rule){ .word = word_of(word), .arg = arg };
}

bool acl_matches(const struct acl_rule *rule, const char *bridge)
{
	const size_t len = strnlen(rule->arg, NAME_MAX_BYTES);

	return strcmp(rule->arg, "all") == 0 ||
	       (strlen(bridge) == len && memcmp(rule->arg, bridge, len) == 0);
}

bool acl_nearly(const struct acl_rule *rule, const char *bridge)
{
	const size_t len = strlen(bridge);

	return strncmp(rule->arg, bridge, len) == 0 && rule->arg[len] != '\0' &&
	       strchr(" \t#", rule->arg[len]);
}
