/*
 * lex.h - a line of a policy as words, and the faults found in it
 *
 * Pure. Lines and columns count from 1, in bytes. Functions that read return false, or NULL, after
 * they added a fault.
 */
#ifndef QH_SECCOMP_LEX_H
#define QH_SECCOMP_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAULTS_MAX		16	/* more than fits on a screen does not help */
#define LEX_WORDS_MAX		1024	/* words on a line */
#define LEX_WORD_SIZE		32	/* longer than any call, number or keyword */

struct fault {
	unsigned line, column;
	char text[160];
};

/* Starts as { 0 }; faults after the last that fits are dropped. */
struct faults {
	struct fault list[FAULTS_MAX];
	size_t n;
};

struct lex_word {
	char text[LEX_WORD_SIZE];
	unsigned column;
};

struct lex {
	struct lex_word words[LEX_WORDS_MAX];
	size_t n, next;			/* words of the line, and the next to read */
	unsigned line, end;		/* number of the line; column after its last word */
	struct faults *faults;
};

/* Always false, so that a reader can return it. */
bool faults_add(struct faults *faults, unsigned line, unsigned column, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The same, at a column of the line that is being read. */
bool lex_fault(struct lex *lex, unsigned column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Cut the text of line number lex->line into words; '#' starts a comment. */
bool lex_split(struct lex *lex, const char *text);

/* The next word without taking it, or NULL at the end of the line. */
const struct lex_word *lex_peek(const struct lex *lex);
/* Take the next word if it is this one. */
bool lex_accept(struct lex *lex, const char *word);
/* Take the next word; at the end of the line, a fault says that `what` was expected. */
const struct lex_word *lex_want(struct lex *lex, const char *what);
/* The column of the next word, or of the end of the line. */
unsigned lex_column(const struct lex *lex);
/* A further word is a fault. */
bool lex_finish(struct lex *lex);

/* A whole word as a number from 0 to max, decimal or 0x; false, without a fault, if it is none. */
bool lex_number(const char *word, uint64_t max, uint64_t *ret);

#endif
