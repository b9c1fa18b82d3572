/*
 * json.c - a JSON text as a tree of cJSON
 *
 * cJSON answers NULL to a text that is no JSON and to a malloc() that failed. The second says so in
 * errno, which nothing else in the parser sets to ENOMEM: strtod(3) knows ERANGE only.
 */
#include "config.h"

#include "desc/json.h"

#include <errno.h>
#include <setjmp.h>

cJSON *json_parse(struct arena *mem, const char *text, size_t len, const char **ret_end)
{
	cJSON *root;

	errno = 0;
	root = cJSON_ParseWithLengthOpts(text, len, ret_end, 0);
	if (!root && errno == ENOMEM)
		longjmp(*mem->oom, 1);
	return root;
}
