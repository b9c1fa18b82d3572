/*
 * acl.h - the grammar of qemu-bridge-helper's access list. Pure.
 *
 * As parse_acl_file() and main() of qemu-bridge-helper.c read it, the same from QEMU 7.2 to 11.1: a
 * word, one blank or tab, and the rest of the line without the blanks around it. A line that denies
 * wins over each that allows; what no line allows is denied.
 */
#ifndef QH_FACTS_ACL_H
#define QH_FACTS_ACL_H

#include <stdbool.h>
#include <stddef.h>

/* The helper reads that many bytes at a time: what follows them on a line is a line to it. */
enum { ACL_PIECE_MAX = 4095 };

enum acl_word { ACL_WORD_NONE, ACL_WORD_ALLOW, ACL_WORD_DENY, ACL_WORD_INCLUDE, ACL_WORD_BAD };

struct acl_rule {
	enum acl_word word;		/* NONE: blank or a comment; BAD: the helper gives up */
	const char *arg;		/* the bridge, "all", or the file to include */
};

/* Bytes of the next piece of text, its newline included. len > 0. */
size_t acl_piece(const char *text, size_t len);
/* Read one piece, which is NUL-terminated and is changed. */
struct acl_rule acl_read_rule(char *piece);
/* Is the rule about this bridge? The helper keeps 15 bytes of a name. */
bool acl_matches(const struct acl_rule *rule, const char *bridge);
/* Does a name only begin with the bridge's, as in "allow br0 # comment"? */
bool acl_nearly(const struct acl_rule *rule, const char *bridge);

#endif
