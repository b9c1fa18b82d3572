/*
 * test_called_as.c - what the program is by which name
 */
#include "config.h"

#include "desc/called_as.h"
#include "unit.h"

static struct row {
	const char *name;
	enum called_as want;
	const char *last;		/* NULL: the whole name */
} rows[] = {
	{ "qemu-handoff", CALLED_OURS, NULL },
	{ "qemu-handoff-0.1", CALLED_OURS, NULL },
	{ "qemu-handoff.old", CALLED_OURS, NULL },
	{ "qemu-handoff.real", CALLED_OURS, NULL },
	{ "qemu-handoff2", CALLED_OURS, NULL },
	{ "qemu-handoff-system-x86_64", CALLED_OURS, NULL },
	{ "qemu-handoff ", CALLED_OURS, NULL },
	{ "/usr/bin/qemu-handoff", CALLED_OURS, "qemu-handoff" },
	{ "./qemu-handoff", CALLED_OURS, "qemu-handoff" },
	{ "//x//qemu-handoff-next", CALLED_OURS, "qemu-handoff-next" },
	{ "/usr/bin/qemu-system-x86_64/qemu-handoff", CALLED_OURS, "qemu-handoff" },
	{ "qemu-system-x86_64", CALLED_QEMU, NULL },
	{ "qemu-system-aarch64", CALLED_QEMU, NULL },
	{ "qemu-system-i386", CALLED_QEMU, NULL },
	{ "qemu-system-x86_64-spice", CALLED_QEMU, NULL },
	{ "qemu-system-x86_64-microvm", CALLED_QEMU, NULL },
	{ "qemu-system-x86_64.real", CALLED_QEMU, NULL },
	{ "qemu-system-x", CALLED_QEMU, NULL },
	{ "/usr/libexec/qemu-handoff/qemu-system-x86_64", CALLED_QEMU, "qemu-system-x86_64" },
	{ "../qemu-system-x86_64", CALLED_QEMU, "qemu-system-x86_64" },
	{ "qemu-handoff/kvm", CALLED_QEMU, "kvm" },
	{ "qemu-kvm", CALLED_QEMU, NULL },
	{ "/usr/libexec/qemu-kvm", CALLED_QEMU, "qemu-kvm" },
	{ "kvm", CALLED_QEMU, NULL },
	{ "qemu-dm", CALLED_QEMU, NULL },
	{ "x86_64-softmmu-system-x86_64", CALLED_QEMU, NULL },
	{ "vendor-qemu-system-x86_64", CALLED_QEMU, NULL },
	{ "lab-system-x86_64", CALLED_QEMU, NULL },
	{ " qemu-system-x86_64", CALLED_QEMU, NULL },
	{ "", CALLED_OTHER, NULL },
	{ " ", CALLED_OTHER, NULL },
	{ "/", CALLED_OTHER, "" },
	{ "qemu-handoff/", CALLED_OTHER, "" },
	{ "/usr/bin/qemu-system-x86_64/", CALLED_OTHER, "" },
	{ "-", CALLED_OTHER, NULL },
	{ "-S", CALLED_OTHER, NULL },
	{ "sh", CALLED_OTHER, NULL },
	{ "-sh", CALLED_OTHER, NULL },
	{ "qemu", CALLED_OTHER, NULL },
	{ "qemu-", CALLED_OTHER, NULL },
	{ "qemu-system", CALLED_OTHER, NULL },
	{ "qemu-system-", CALLED_OTHER, NULL },
	{ "-system-x86_64", CALLED_OTHER, NULL },
	{ "lab-system-x86_64 ", CALLED_OTHER, NULL },
	{ "lab-system-x86_640", CALLED_OTHER, NULL },
	{ "lab-system-i386", CALLED_OTHER, NULL },
	{ "system-x86_64", CALLED_OTHER, NULL },
	{ "-qemu-system-x86_65", CALLED_OTHER, NULL },
	{ "qemu_system-x86_65", CALLED_OTHER, NULL },
	{ "QEMU-SYSTEM-X86_64", CALLED_OTHER, NULL },
	{ "Qemu-kvm", CALLED_OTHER, NULL },
	{ "KVM", CALLED_OTHER, NULL },
	{ "kvm ", CALLED_OTHER, NULL },
	{ " kvm", CALLED_OTHER, NULL },
	{ "kvm2", CALLED_OTHER, NULL },
	{ "kvm-ok", CALLED_OTHER, NULL },
	{ "qemu-kvm-", CALLED_OTHER, NULL },
	{ "qemu-kvm.real", CALLED_OTHER, NULL },
	{ "qemu-dm2", CALLED_OTHER, NULL },
	{ "kvm qemu-kvm", CALLED_OTHER, NULL },
	{ "*", CALLED_OTHER, NULL },
	{ "qemu-img", CALLED_OTHER, NULL },
	{ "qemu-bridge-helper", CALLED_OTHER, NULL },
	{ "qemu-x86_64", CALLED_OTHER, NULL },
	{ "qemu-handof", CALLED_OTHER, NULL },
	{ "qemu-Handoff", CALLED_OTHER, NULL },
	{ " qemu-handoff", CALLED_OTHER, NULL },
	{ "-qemu-handoff", CALLED_OTHER, NULL },
	{ "lt-qemu-handoff", CALLED_OTHER, NULL },
	{ "handoff", CALLED_OTHER, NULL },
	{ "kvm\n", CALLED_OTHER, NULL },
	{ "kvm\t", CALLED_OTHER, NULL },
	{ "\xff", CALLED_OTHER, NULL },
};

static void name(void **state)
{
	const struct row *r = *state;
	const char *last;

	assert_int_equal(called_as(r->name, &last), r->want);
	assert_string_equal(last, r->last ? r->last : r->name);
}

static void no_name(void **state)
{
	const char *last;

	(void)state;
	assert_int_equal(called_as(NULL, &last), CALLED_OTHER);
	assert_string_equal(last, "");
}

/* What --with-passthrough-names may have. */
static const struct { const char *name, *patterns; bool want; } patterns[] = {
	{ "vm", "", false }, { "", "", false }, { "vm", " ", false },
	{ "vm", "vm", true }, { "vm", "  a vm  b ", true }, { "vm2", "a vm b", false },
	{ "v", "vm", false }, { "a vm", "a vm", false },
	{ "vm-7", "vm-*", true }, { "vm-", "vm-*", false }, { "xvm-7", "vm-*", false },
	{ "my-vm", "*-vm", true }, { "-vm", "*-vm", false }, { "my-vmx", "*-vm", false },
	{ "b", "a* *b", false }, { "xb", "a* *b", true }, { "ax", "a* *b", true },
};

static void further(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
		if (called_by(patterns[i].name, patterns[i].patterns) != patterns[i].want)
			fail_msg("'%s' by '%s'", patterns[i].name, patterns[i].patterns);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + 2] = {
		cmocka_unit_test(no_name), cmocka_unit_test(further),
	};

	UNIT_ROWS(tests + 2, rows, name);
	return UNIT_RUN(tests, argc, argv);
}
