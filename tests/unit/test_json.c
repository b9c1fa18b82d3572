/*
 * test_json.c - no memory is not the same as no JSON
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "unit.h"
#include "desc/cmdline.h"
#include "desc/desc.h"
#include "desc/json.h"
#include "mode/table.h"

static unsigned calls, fails_at;	/* malloc() calls of cJSON; the one that fails, from 1 */

static void *failing_malloc(size_t size)
{
	if (++calls != fails_at)
		return malloc(size);
	errno = ENOMEM;
	return NULL;
}

static void arrange(unsigned n)
{
	calls = 0;
	fails_at = n;
	cJSON_InitHooks(&(cJSON_Hooks){ failing_malloc, free });
}

/* What happens when the n-th malloc() fails. */
enum outcome { READ, REFUSED, NO_MEMORY };

static enum outcome read_descriptor(unsigned n)
{
	static const char text[] = "{\"version\":1,\"name\":\"a\",\"args\":[\"-x\",\"y\"],"
				   "\"nics\":[{\"mode\":\"user\"}]}";
	struct unit u;
	struct desc desc;
	volatile enum outcome ret = NO_MEMORY;
	jmp_buf oom;

	unit_open(&u);
	u.mem.oom = &oom;
	if (setjmp(oom) == 0) {
		arrange(n);
		ret = desc_parse(text, sizeof(text) - 1, mode_syntax, &u.mem, &desc, &u.ds) < 0
			      ? REFUSED
			      : READ;
	}
	arrange(0);
	unit_close(&u);
	return ret;
}

static void descriptor(void **state)
{
	unsigned n = 1;

	(void)state;
	assert_int_equal(read_descriptor(0), READ);
	while (read_descriptor(n) == NO_MEMORY)
		n++;
	/* the first that is never reached */
	assert_int_equal(read_descriptor(n), READ);
	assert_true(n > 15);
}

static enum outcome read_word(unsigned n, const char *text)
{
	struct unit u;
	struct qopts opts;
	volatile enum outcome ret = NO_MEMORY;
	jmp_buf oom;

	unit_open(&u);
	u.mem.oom = &oom;
	if (setjmp(oom) == 0) {
		arrange(n);
		ret = qopts_parse(&u.mem, text, NULL, &opts) ? READ : REFUSED;
	}
	arrange(0);
	unit_close(&u);
	return ret;
}

/* A word of QEMU's that is taken for no JSON is judged by none of the rules. */
static void word(void **state)
{
	static const char *const words[] = {
		"{\"driver\":\"virtio-net-pci\",\"netdev\":\"a\"}",
		"{'driver':'virtio-net-pci','netdev':'a'}",
	};

	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(words); i++) {
		unsigned n = 1;

		while (read_word(n, words[i]) == NO_MEMORY)
			n++;
		assert_int_equal(read_word(n, words[i]), READ);
		assert_true(n > 5);
	}
}

static void no_json(void **state)
{
	static const char *const texts[] = { "{", "{\"a\":1e999999", "{\"a\" 1}", "" };
	struct unit u;

	(void)state;
	unit_open(&u);
	for (unsigned i = 0; i < ARRAY_LEN(texts); i++) {
		const char *end = NULL;

		errno = ENOMEM;
		assert_null(json_parse(&u.mem, texts[i], strlen(texts[i]), &end));
	}
	unit_close(&u);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptor),
		cmocka_unit_test(word),
		cmocka_unit_test(no_json),
	};

	return UNIT_RUN(tests, argc, argv);
}
