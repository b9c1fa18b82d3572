/* features.c - what this program can read, out of the tables that read it */
#include "config.h"

#include "mode/features.h"

#include "base/diag.h"
#include "base/str.h"
#include "desc/confine_keys.h"
#include "desc/desc.h"
#include "desc/nics.h"
#include "mode/mode.h"

/* mode_name() has no end of its own. */
static const char *mode_at(unsigned i)
{
	return i < MODE__COUNT ? mode_name(i) : NULL;
}

static const char *code_at(unsigned i)
{
	return i < DIAG__COUNT ? diag_name(i) : NULL;
}

static void put_list(struct str *s, const char *name, const char *(*at)(unsigned i))
{
	str_put(s, ",\"%s\":[", name);
	for (unsigned i = 0; at(i); i++)
		str_put(s, "%s\"%s\"", i > 0 ? "," : "", at(i));
	str_put(s, "]");
}

static void render(struct str *s, const void *arg)
{
	(void)arg;
	str_put(s, "{\"name\":\"" PACKAGE_NAME "\",\"version\":\"" PACKAGE_VERSION "\""
		   ",\"descriptor\":1");
	put_list(s, "keys", desc_key_name);
	put_list(s, "nic_keys", nic_key_name);
	put_list(s, "expect_keys", expect_key_name);
	put_list(s, "seccomp_keys", seccomp_key_name);
	put_list(s, "modes", mode_at);
	put_list(s, "codes", code_at);
	str_put(s, "}\n");
}

const char *features_json(struct arena *mem)
{
	return str_make(mem, render, NULL);
}
