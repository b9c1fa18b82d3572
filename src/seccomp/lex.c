/* lex.c - a line of a policy as words, and the faults found in it */
#include "config.h"

#include "seccomp/lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 4, 0)))
static bool add_fault(struct faults *faults, unsigned line, unsigned column, const char *fmt,
		      va_list ap)
{
	struct fault *f = &faults->list[faults->n];

	if (faults->n < FAULTS_MAX) {
		*f = (struct fault){ .line = line, .column = column };
		(void)vsnprintf(f->text, sizeof(f->text), fmt, ap);
		faults->n++;
	}
	return false;
}

bool faults_add(struct faults *faults, unsigned line, unsigned column, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)add_fault(faults, line, column, fmt, ap);
	va_end(ap);
	return false;
}

bool lex_fault(struct lex *lex, unsigned column, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)add_fault(lex->faults, lex->line, column, fmt, ap);
	va_end(ap);
	return false;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == ':';
}

/* The length of the word that starts here; 0 if none does. */
static size_t word_length(const char *s)
{
	size_t n = 0;

	if (s[0] == '=' && s[1] == '=')
		return 2;
	if (s[0] == '&')
		return 1;
	while (is_letter(s[n]))
		n++;
	return n;
}

static bool add_word(struct lex *lex, const char *s, unsigned column)
{
	const size_t n = word_length(s);
	struct lex_word *w = &lex->words[lex->n];

	if (n == 0 && s[0] > ' ' && s[0] < 0x7f)
		return lex_fault(lex, column, "unexpected '%c'", s[0]);
	if (n == 0)
		return lex_fault(lex, column, "unexpected byte 0x%02x", (unsigned char)s[0]);
	if (n >= LEX_WORD_SIZE)
		return lex_fault(lex, column, "a word has %zu characters; the limit is %d", n,
				 LEX_WORD_SIZE - 1);
	if (lex->n == LEX_WORDS_MAX)
		return lex_fault(lex, column, "a line has more than %d words", LEX_WORDS_MAX);
	memcpy(w->text, s, n);
	w->text[n] = '\0';
	w->column = column;
	lex->n++;
	return true;
}

bool lex_split(struct lex *lex, const char *text)
{
	size_t i = 0;

	lex->n = lex->next = 0;
	for (;;) {
		i += strspn(text + i, " \t");
		lex->end = 1 + (unsigned)i;
		if (text[i] == '\0' || text[i] == '#')
			return true;
		if (!add_word(lex, text + i, 1 + (unsigned)i))
			return false;
		i += word_length(text + i);
	}
}

const struct lex_word *lex_peek(const struct lex *lex)
{
	return lex->next < lex->n ? &lex->words[lex->next] : NULL;
}

unsigned lex_column(const struct lex *lex)
{
	return lex->next < lex->n ? lex->words[lex->next].column : lex->end;
}

bool lex_accept(struct lex *lex, const char *word)
{
	const struct lex_word *w = lex_peek(lex);

	if (w == NULL || strcmp(w->text, word) != 0)
		return false;
	lex->next++;
	return true;
}

const struct lex_word *lex_want(struct lex *lex, const char *what)
{
	const struct lex_word *w = lex_peek(lex);

	if (w == NULL)
		(void)lex_fault(lex, lex->end, "expected %s", what);
	else
		lex->next++;
	return w;
}

bool lex_finish(struct lex *lex)
{
	const struct lex_word *w = lex_peek(lex);

	return w == NULL || lex_fault(lex, w->column, "unexpected '%s'", w->text);
}

/* The value of a digit, 16 if it is none. */
static unsigned digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

bool lex_number(const char *word, uint64_t max, uint64_t *ret)
{
	const unsigned base = word[0] == '0' && word[1] == 'x' ? 16 : 10;
	const char *s = base == 16 ? word + 2 : word;
	uint64_t v = 0;

	if (*s == '\0')
		return false;
	for (; *s != '\0'; s++) {
		const unsigned d = digit(*s);

		if (d >= base || d > max || v > (max - d) / base)
			return false;
		v = v * base + d;
	}
	*ret = v;
	return true;
}
