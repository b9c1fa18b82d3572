/*
 * diag.c - errors and warnings, collected
 *
 * A line names, in this order: the place in the descriptor, the object, the system's reason, the
 * fact, and in parentheses what to try.
 */
#include "config.h"

#include "base/diag.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/scan.h"

static const struct { const char *name; int status; } ids[] = {
#define DIAG(id, status, name) [DIAG_##id] = { name, status },
#include "base/diag.def"
#undef DIAG
};
static_assert(ARRAY_LEN(ids) == DIAG__COUNT, "every id needs a row");

const char *diag_name(enum diag_id id)
{
	return ids[id].name;
}

int diag_status(enum diag_id id)
{
	return ids[id].status;
}

__attribute__((format(printf, 2, 0)))
static const char *format(struct arena *mem, const char *fmt, va_list ap)
{
	va_list again;
	char *ret;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len < 0)
		return "";
	ret = arena_get(mem, (size_t)len + 1);
	(void)vsnprintf(ret, (size_t)len + 1, fmt, ap);
	return ret;
}

static void render_path(struct str *s, const void *at)
{
	where_put(s, at);
}

/*
 * The list is full, so either an old entry or the new one is dropped. True: there is room for the
 * new one.
 */
static bool make_room(struct diags *ds, int status)
{
	unsigned i = ds->n;

	ds->dropped++;
	if (status == EXIT_NONE)
		return false;
	while (i > 0 && diag_status(ds->list[i - 1].id) != EXIT_NONE)
		i--;
	if (i == 0)
		return false;
	memmove(&ds->list[i - 1], &ds->list[i], (ds->n - i) * sizeof(ds->list[0]));
	ds->n--;
	return true;
}

/*
 * The kernel or a limit of this process has run out of something. That says nothing about the host
 * or the descriptor, whatever was being examined, and no hint about either helps.
 */
static bool ran_out(int err)
{
	return err == ENOMEM || err == ENFILE || err == EMFILE;
}

static enum diag_id id_for_errno(enum diag_id id, int err)
{
	const int status = diag_status(id);

	return ran_out(err) && status != EXIT_NONE && status != EXIT_CALL ? DIAG_CALL_FAILED : id;
}

int diag_add(struct diags *ds, enum diag_id given, int err, const struct where *at,
	     const char *object, const char *fmt, ...)
{
	const enum diag_id id = id_for_errno(given, err);
	const int status = diag_status(id);
	struct diag *d;
	va_list ap;

	ds->last_dropped = ds->n == DIAGS_MAX && !make_room(ds, status);
	if (status != EXIT_NONE && (ds->status == EXIT_NONE || status < ds->status))
		ds->status = status;
	if (ds->last_dropped)
		return -1;
	d = &ds->list[ds->n++];
	*d = (struct diag){ .id = id, .err = err };
	d->object = object ? arena_str(ds->mem, object) : NULL;
	va_start(ap, fmt);
	d->message = format(ds->mem, fmt, ap);
	va_end(ap);
	if (!at)
		return -1;
	d->path = str_make(ds->mem, render_path, at);
	d->label = where_label(at);
	if (status == EXIT_DESC && ds->source.text && !object) {
		scan_locate(ds->source.text, at, &d->line, &d->column);
		d->object = ds->source.name;
	}
	return -1;
}

void diag_hint(struct diags *ds, const char *fmt, ...)
{
	va_list ap;

	if (ds->n == 0 || ds->last_dropped || ran_out(ds->list[ds->n - 1].err))
		return;
	va_start(ap, fmt);
	ds->list[ds->n - 1].hint = format(ds->mem, fmt, ap);
	va_end(ap);
}

static void render_word(struct str *s, const void *text)
{
	str_put_shell(s, text);
}

const char *diag_word(struct diags *ds, const char *text)
{
	return str_make(ds->mem, render_word, text);
}

bool diag_has(const struct diags *ds, enum diag_id id)
{
	for (unsigned i = 0; i < ds->n; i++)
		if (ds->list[i].id == id)
			return true;
	return false;
}

void diag_place(struct diags *ds, const char *text, size_t offset)
{
	struct diag *d = &ds->list[ds->n - 1];

	if (ds->last_dropped)
		return;
	scan_position(text, offset, &d->line, &d->column);
	ds->placed.text = text;
	ds->placed.offset = offset;
	ds->placed.line = d->line;
	ds->placed.column = d->column;
}

static void put_part(struct str *s, const char *part)
{
	if (part) {
		str_put(s, ": ");
		str_put_line(s, part);
	}
}

/* "error" in bold red, "warning" in bold magenta. */
static const char *level_of(const struct diag *d, bool colour)
{
	if (diag_status(d->id) != EXIT_NONE)
		return colour ? "\033[1;31merror\033[0m" : "error";
	return colour ? "\033[1;35mwarning\033[0m" : "warning";
}

void diag_text(const struct diag *d, struct str *s)
{
	diag_text_by("qemu-handoff", false, d, s);
}

void diag_text_by(const char *program, bool colour, const struct diag *d, struct str *s)
{
	str_put(s, "%s: %s", program, level_of(d, colour));
	put_part(s, d->path);
	if (d->label)
		str_put(s, " (%s)", d->label);
	put_part(s, d->object);
	if (d->line > 0)
		str_put(s, ":%u:%u", d->line, d->column);
	if (d->err != 0)
		put_part(s, strerrordesc_np(d->err));
	put_part(s, d->message);
	if (d->hint) {
		str_put(s, " (try: ");
		str_put_line(s, d->hint);
		str_put(s, ")");
	}
}

static void put_member(struct str *s, const char *key, const char *value)
{
	str_put(s, ",\"%s\":", key);
	if (value) {
		str_put(s, "\"");
		str_put_json(s, value);
		str_put(s, "\"");
	} else {
		str_put(s, "null");
	}
}

void diag_json(const struct diag *d, struct str *s)
{
	const int status = diag_status(d->id);

	str_put(s, "{\"level\":\"%s\",\"code\":\"%s\"", status != EXIT_NONE ? "error" : "warning",
		diag_name(d->id));
	if (status != EXIT_NONE)
		str_put(s, ",\"status\":%d", status);
	put_member(s, "path", d->path);
	put_member(s, "nic", d->label);
	put_member(s, "object", d->object);
	if (d->line > 0)
		str_put(s, ",\"line\":%u,\"column\":%u", d->line, d->column);
	put_member(s, "errno", d->err != 0 ? strerrorname_np(d->err) : NULL);
	put_member(s, "message", d->message);
	put_member(s, "hint", d->hint);
	str_put(s, "}");
}

/* Bytes that a terminal would act on, or that would not have the width of one column. */
static bool plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] > '~')
			return false;
	return true;
}

void diag_excerpt(const struct diags *ds, const struct diag *d, struct str *s)
{
	enum { INDENT = 2, BEFORE = 50, WIDTH = 80 - INDENT };
	const char *text = ds->placed.text, *at, *from, *end;

	/* of another kind of file nothing is shown: it may not be for everybody */
	if (!text || d->line != ds->placed.line || d->column != ds->placed.column ||
	    text[strspn(text, " \t\r\n")] != '{')
		return;
	at = from = text + ds->placed.offset;
	while (from > text && from[-1] != '\n' && at - from < BEFORE)
		from--;
	end = from + strcspn(from, "\r\n");
	if (end - from > WIDTH)
		end = from + WIDTH;
	while (from < at && (*from == ' ' || *from == '\t'))
		from++;
	if (end <= from || !plain(from, (size_t)(end - from)))
		return;
	str_put(s, "%*s%.*s\n", INDENT, "", (int)(end - from), from);
	str_put(s, "%*s^\n", INDENT + (int)(at - from), "");
}
