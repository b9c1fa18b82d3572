/*
 * fuzz_screen.c - an object that arrives in pieces, and places in it
 *
 * The first byte says how the rest is cut. Promises: the pieces give what the whole gives; what is taken
 * ends with the brace; a place that is found is inside the text.
 */
#include "config.h"

#include "fuzz.h"

#include "base/scan.h"
#include "desc/screen.h"

static size_t feed_pieces(struct scan *scan, const char *text, size_t len, unsigned piece)
{
	size_t done = 0;

	while (done < len && !scan->done && !scan->not_object) {
		const size_t n = len - done < piece ? len - done : piece;
		const size_t took = scan_feed(scan, text + done, n);

		PROMISE(took <= n);
		PROMISE(took == n || scan->done || scan->not_object);
		done += took;
	}
	return done;
}

static void check_place(const char *text, const struct where *at)
{
	unsigned line = 0, column = 0, lines = 1;

	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	scan_locate(text, at, &line, &column);
	PROMISE(line <= lines);
	PROMISE((line == 0) == (column == 0));
}

static void one(const char *text, size_t len, unsigned piece, struct arena *mem)
{
	static struct diags ds;
	struct scan whole = { 0 }, pieces = { 0 };
	const size_t end = scan_feed(&whole, text, len);

	PROMISE(feed_pieces(&pieces, text, len, piece) == end);
	PROMISE(pieces.done == whole.done && pieces.not_object == whole.not_object);
	PROMISE(!(whole.done && whole.not_object));
	PROMISE(!whole.done || text[end - 1] == '}' || text[end - 1] == ']');
	ds = (struct diags){ .mem = mem, .source = { .name = "stdin", .text = text } };
	PROMISE((screen_json(text, len, &ds) < 0) == (ds.n > 0));
	check_diags(&ds, mem);
	check_place(text, KEY(NULL, "version"));
	check_place(text, KEY(ITEM(KEY(NULL, "nics"), piece % 3), "queues"));
	check_place(text, ITEM(KEY(ITEM(KEY(NULL, "nics"), 0), "fds"), 1));
	check_place(text, &(const struct where){ .key = "name", .again = true });
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena mem = { 0 };
	jmp_buf oom;
	char *text;

	if (size == 0)
		return 0;
	mem.oom = &oom;
	text = malloc(size);
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	if (setjmp(oom) == 0)
		one(text, size - 1, 1 + data[0], &mem);
	arena_free(&mem);
	free(text);
	return 0;
}
