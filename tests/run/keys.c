/*
 * keys.c - every key that the parser knows, a line each, out of its own tables; manual.sh compares documents with it
 *
 * "mode tap", "descriptor vcpus", "expect up", "seccomp bpf", "nic ifname: tap macvtap", "option mtu: passt"
 */
#include "config.h"

#include <stdio.h>

#include "desc/confine_keys.h"
#include "desc/netopts.h"
#include "desc/nics.h"
#include "mode/mode.h"
#include "mode/table.h"
#include "desc/desc.h"

static void list(const char *object, const char *(*name)(unsigned i))
{
	for (unsigned i = 0; name(i); i++)
		printf("%s %s\n", object, name(i));
}

static void nic_key(unsigned key)
{
	const uint32_t bit = UINT32_C(1) << key;

	printf("nic %s:", nic_key_name(key));
	for (unsigned mode = 0; mode < MODE__COUNT && !(bit & NIC_KEYS_COMMON); mode++)
		if (mode_syntax(mode)->keys & bit)
			printf(" %s", mode_name(mode));
	printf("%s\n", bit & NIC_KEYS_COMMON ? " all modes" : "");
}

static void mode_options(enum mode mode)
{
	for (const struct netopt *opt = mode_syntax(mode)->options; opt && opt->key; opt++)
		printf("option %s: %s\n", opt->key, mode_name(mode));
}

int main(void)
{
	for (unsigned mode = 0; mode < MODE__COUNT; mode++)
		printf("mode %s\n", mode_name(mode));
	list("descriptor", desc_key_name);
	list("expect", expect_key_name);
	list("seccomp", seccomp_key_name);
	for (unsigned key = 0; key < NIC_KEY__COUNT; key++)
		nic_key(key);
	for (unsigned mode = 0; mode < MODE__COUNT; mode++)
		mode_options(mode);
	return 0;
}
