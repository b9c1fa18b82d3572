/* statements.c - statements of verify as a table and as JSON */
#include "config.h"

#include "ctl/statements.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { COLUMNS = 100, INDENT = 31 };

static const char *const verdicts[VERDICT__COUNT] = {
	[VERDICT_OK] = "ok",
	[VERDICT_DIFFERS] = "differs",
	[VERDICT_UNKNOWN] = "unknown",
};

void say(struct statements *list, enum verdict verdict, const char *what, const char *source,
	 const char *planned, const char *fmt, ...)
{
	struct statement *new = arena_get(list->mem, sizeof(*new));
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	*new = (struct statement){ .verdict = verdict,
				   .what = what,
				   .found = arena_str(list->mem, text),
				   .planned = planned,
				   .source = source };
	if (list->last)
		list->last->next = new;
	else
		list->first = new;
	list->last = new;
	list->n[verdict]++;
}

/* A line of the table: what does not fit goes on below, after the same indent. */
static void put_cell(struct str *s, const char *text)
{
	char line[4096];
	struct str shown = STR_ON(line);
	const char *at = line;

	str_put_line(&shown, text);
	for (size_t left = strlen(line); left > 0; left = strlen(at)) {
		size_t n = left < COLUMNS - INDENT ? left : COLUMNS - INDENT;

		for (size_t i = n; n < left && i > n / 2; i--)
			if (at[i] == ' ') {
				n = i;
				break;
			}
		str_put(s, "%s%.*s\n", at == line ? "" : "                               ", (int)n,
			at);
		at += n + (at[n] == ' ');
	}
}

static void render_text(struct str *s, const void *arg)
{
	const struct statements *list = arg;

	for (const struct statement *st = list->first; st; st = st->next) {
		char text[4096];
		struct str cell = STR_ON(text);

		str_put(&cell, "%s%s%s%s [%s]", st->found, st->planned ? " (planned: " : "",
			st->planned ? st->planned : "", st->planned ? ")" : "", st->source);
		str_put(s, "%-8s ", verdicts[st->verdict]);
		str_put(s, "%-21.21s ", st->what);
		put_cell(s, text);
	}
	str_put(s, "\n%u as planned, %u different, %u unknown\n", list->n[VERDICT_OK],
		list->n[VERDICT_DIFFERS], list->n[VERDICT_UNKNOWN]);
}

static void put_string(struct str *s, const char *key, const char *value)
{
	str_put(s, ",\"%s\":", key);
	if (!value) {
		str_put(s, "null");
		return;
	}
	str_put(s, "\"");
	str_put_json(s, value);
	str_put(s, "\"");
}

static void render_json(struct str *s, const void *arg)
{
	const struct statements *list = arg;

	str_put(s, "{\"version\":1,\"pid\":%ld", (long)list->pid);
	put_string(s, "report", list->report);
	str_put(s, ",\"ok\":%u,\"differs\":%u,\"unknown\":%u,\"statements\":[",
		list->n[VERDICT_OK], list->n[VERDICT_DIFFERS], list->n[VERDICT_UNKNOWN]);
	for (const struct statement *st = list->first; st; st = st->next) {
		str_put(s, "%s{\"verdict\":\"%s\"", st == list->first ? "" : ",",
			verdicts[st->verdict]);
		put_string(s, "what", st->what);
		put_string(s, "found", st->found);
		put_string(s, "planned", st->planned);
		put_string(s, "source", st->source);
		str_put(s, "}");
	}
	str_put(s, "]}\n");
}

const char *statements_text(const struct statements *list)
{
	return str_make(list->mem, render_text, list);
}

const char *statements_json(const struct statements *list)
{
	return str_make(list->mem, render_json, list);
}
