/*
 * common.c - what every problem must look like
 */
#include "config.h"

#include "fuzz.h"

#include <cjson/cJSON.h>

static void render_text(struct str *s, const void *d)
{
	diag_text(d, s);
}

static void render_json(struct str *s, const void *d)
{
	diag_json(d, s);
}

static bool one_line(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return false;
	return true;
}

static const char *member(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : NULL;
}

static void check_diag(const struct diag *d, struct arena *mem)
{
	const char *json = str_make(mem, render_json, d);
	cJSON *root = cJSON_Parse(json);

	PROMISE(one_line(str_make(mem, render_text, d)));
	PROMISE(d->message && d->message[0]);
	PROMISE(one_line(json));
	PROMISE(cJSON_IsObject(root));
	PROMISE(strcmp(member(root, "code"), diag_name(d->id)) == 0);
	PROMISE(strcmp(member(root, "level"), diag_status(d->id) == EXIT_NONE ? "warning" : "error") == 0);
	cJSON_Delete(root);
}

void check_diags(const struct diags *ds, struct arena *mem)
{
	int lowest = EXIT_NONE;

	PROMISE(ds->n <= DIAGS_MAX);
	for (unsigned i = 0; i < ds->n; i++) {
		const int status = diag_status(ds->list[i].id);

		check_diag(&ds->list[i], mem);
		if (status != EXIT_NONE && (lowest == EXIT_NONE || status < lowest))
			lowest = status;
	}
	PROMISE(ds->dropped > 0 || ds->status == lowest);
}
