/* test_acl.c - the grammar of the bridge helper's access list */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/bounds.h"
#include "facts/acl.h"
#include "unit.h"

static const struct line {
	const char *name, *piece;
	enum acl_word word;
	const char *arg;
} lines[] = {
	{ "nothing",				"",			ACL_WORD_NONE,		NULL },
	{ "a newline",				"\n",			ACL_WORD_NONE,		NULL },
	{ "blanks",				" \t\f\r\n",		ACL_WORD_NONE,		NULL },
	{ "a comment",				"# allow br0\n",	ACL_WORD_NONE,		NULL },
	{ "a comment after blanks",		"  #\n",		ACL_WORD_NONE,		NULL },
	{ "allow",				"allow br0\n",		ACL_WORD_ALLOW,		"br0" },
	{ "allow, no newline",			"allow br0",		ACL_WORD_ALLOW,		"br0" },
	{ "blanks around",			"\f allow \t br0 \r\n",	ACL_WORD_ALLOW,		"br0" },
	{ "a tab",				"allow\tbr0\n",		ACL_WORD_ALLOW,		"br0" },
	{ "a comment after the name",		"allow br0 # LAN\n",	ACL_WORD_ALLOW,		"br0 # LAN" },
	{ "two names",				"allow br0 br1\n",	ACL_WORD_ALLOW,		"br0 br1" },
	{ "all",				"allow all\n",		ACL_WORD_ALLOW,		"all" },
	{ "no name",				"allow \n",		ACL_WORD_ALLOW,		"" },
	{ "deny",				"deny br0\n",		ACL_WORD_DENY,		"br0" },
	{ "include a name with a blank",	"include /a b\n",	ACL_WORD_INCLUDE,	"/a b" },
	/* a blank anywhere goes before a tab */
	{ "a tab, and a blank at the end",	"allow\tbr0 \n",	ACL_WORD_BAD,		NULL },
	{ "a tab, and a comment",		"allow\tbr0 # LAN\n",	ACL_WORD_BAD,		NULL },
	{ "one word",				"allow\n",		ACL_WORD_BAD,		NULL },
	{ "a vertical tab",			"allow\vbr0\n",		ACL_WORD_BAD,		NULL },
	{ "a vertical tab first",		"\vallow br0\n",	ACL_WORD_BAD,		NULL },
	{ "a vertical tab last",		"allow br0\v\n",	ACL_WORD_ALLOW,		"br0\v" },
	{ "a capital",				"Allow br0\n",		ACL_WORD_BAD,		NULL },
	{ "a colon",				"allow: br0\n",		ACL_WORD_BAD,		NULL },
	{ "another word",			"permit br0\n",		ACL_WORD_BAD,		NULL },
	{ "a name alone",			"br0\n",		ACL_WORD_BAD,		NULL },
};

static void line(void **state)
{
	const struct line *row = *state;
	char piece[64];
	struct acl_rule rule;

	(void)snprintf(piece, sizeof(piece), "%s", row->piece);
	rule = acl_read_rule(piece);
	assert_int_equal(rule.word, row->word);
	if (row->arg)
		assert_string_equal(rule.arg, row->arg);
}

static const struct name {
	const char *name, *bridge;	/* what a line says, and of what it is asked */
	bool matches, nearly;
} names[] = {
	{ "br0",		"br0",		true,	false },
	{ "all",		"br0",		true,	false },
	{ "all",		"all",		true,	false },
	{ "br1",		"br0",		false,	false },
	{ "br",			"br0",		false,	false },
	{ "br01",		"br0",		false,	false },
	{ "",			"br0",		false,	false },
	{ "br0 # LAN",		"br0",		false,	true },
	{ "br0#",		"br0",		false,	true },
	{ "br0\tbr1",		"br0",		false,	true },
	{ "all # of them",	"br0",		false,	false },
	/* what does not fit into an interface's name is cut off */
	{ "abcdefghijklmnopq",	"abcdefghijklmno", true, false },
	{ "abcdefghijklmn",	"abcdefghijklmno", false, false },
	{ "abcdefghijklmno #",	"abcdefghijklmno", true, true },
};

static void name(void **state)
{
	const struct name *row = *state;
	const struct acl_rule rule = { .word = ACL_WORD_ALLOW, .arg = row->name };

	assert_int_equal(acl_matches(&rule, row->bridge), row->matches);
	assert_int_equal(acl_nearly(&rule, row->bridge), row->nearly);
}

static void pieces(void **state)
{
	static char text[2 * ACL_PIECE_MAX];

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(acl_piece("a\nb\n", 4), 2);
	assert_int_equal(acl_piece("a", 1), 1);
	assert_int_equal(acl_piece(text, sizeof(text)), ACL_PIECE_MAX);
	text[ACL_PIECE_MAX - 1] = '\n';
	assert_int_equal(acl_piece(text, sizeof(text)), ACL_PIECE_MAX);
	text[ACL_PIECE_MAX - 1] = 'x';
	text[ACL_PIECE_MAX] = '\n';
	assert_int_equal(acl_piece(text, sizeof(text)), ACL_PIECE_MAX);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(lines) + ARRAY_LEN(names) + 1] = {
		cmocka_unit_test(pieces),
	};
	struct CMUnitTest *next = UNIT_ROWS(tests + 1, lines, line);

	UNIT_ROWS(next, names, name);
	return UNIT_RUN(tests, argc, argv);
}
