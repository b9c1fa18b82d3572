/*
 * switch.h - the words that QEMU accepts for on and off (qapi/qobject-input-visitor.c,
 * qapi_bool_parse). Pure.
 */
#ifndef QH_BASE_SWITCH_H
#define QH_BASE_SWITCH_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* NULL is neither. */
static inline bool switch_on(const char *word)
{
	return word && (strcmp(word, "on") == 0 || strcmp(word, "yes") == 0 ||
			strcmp(word, "true") == 0 || strcmp(word, "y") == 0);
}

static inline bool switch_off(const char *word)
{
	return word && (strcmp(word, "off") == 0 || strcmp(word, "no") == 0 ||
			strcmp(word, "false") == 0 || strcmp(word, "n") == 0);
}

#endif
