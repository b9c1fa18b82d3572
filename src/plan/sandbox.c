/*
 * sandbox.c - QEMU's own filter must allow what its other words need
 *
 * -sandbox takes effect before QEMU forks, changes its ids or runs a helper
 * (softmmu/qemu-seccomp.c). A denied call silently ends QEMU 7.2 with SIGSYS, and QEMU 10.0 with an
 * error that names something else. Each use of the option counts: a filter that is loaded is not
 * undone by the next one.
 */
#include "config.h"

#include "plan/sandbox.h"

#include <string.h>

#include "base/switch.h"
#include "plan/needs.h"

static const struct clash {
	const char *key; /* of -sandbox; "children" does what "deny" does, before exec */
	enum qemu_option_id option;
	const char *with; /* a key of that option, or NULL */
} clashes[] = {
	{ "spawn", QEMU_OPTION_daemonize, NULL },
	{ "spawn", QEMU_OPTION_async_teardown, NULL },
	{ "spawn", QEMU_OPTION_run_with, "async-teardown" },
	{ "elevateprivileges", QEMU_OPTION_daemonize, NULL },
	{ "elevateprivileges", QEMU_OPTION_runas, NULL },
	{ "elevateprivileges", QEMU_OPTION_run_with, "user" },
};

static bool denies(const struct plan *plan, const char *key)
{
	const struct qemu_args *words = plan->desc->words;

	for (struct qemu_arg *arg = qemu_args_first(words, QEMU_OPTION_sandbox); arg;
	     arg = qemu_args_after(words, arg)) {
		const struct qopts *opts = qemu_arg_opts(words, arg);
		const char *value = opts ? qopts_get(opts, key) : NULL;

		if (opts && switch_on(qopts_get(opts, "enable")) &&
		    (!key[0] || (value && strcmp(value, "allow") != 0)))
			return true;
	}
	return false;
}

bool sandbox_on(const struct plan *plan)
{
	return denies(plan, "");
}

static bool asks(const struct plan *plan, const struct clash *clash)
{
	const struct qemu_args *words = plan->desc->words;

	for (struct qemu_arg *arg = qemu_args_first(words, clash->option); arg;
	     arg = qemu_args_after(words, arg)) {
		const struct qopts *opts = clash->with ? qemu_arg_opts(words, arg) : NULL;

		if (!clash->with)
			return true;
		for (unsigned i = 0; opts && i < opts->n; i++)
			if (needs_is_key(opts->list[i].key, clash->with) &&
			    strcmp(opts->list[i].value, "off") != 0)
				return true;
	}
	return false;
}

static int clash_bad(struct diags *ds, const char *key, const char *what)
{
	(void)diag_add(ds, DIAG_ARGV_SANDBOX, 0, NULL, "argv", "-sandbox %s=deny ends QEMU: %s",
		       key, what);
	diag_hint(ds, "leave out %s=deny: the launch's own filter denies it already", key);
	return -1;
}

/* If the launch has a filter, needs_of_filter() has already refused what executes a program. */
static int rule_programs(const struct plan *plan, struct diags *ds)
{
	static const enum qemu_option_id options[] = { QEMU_OPTION_netdev, QEMU_OPTION_nic,
						       QEMU_OPTION_net };
	const struct qemu_args *words = plan->desc->words;
	int ret = 0;

	for (unsigned i = 0; i < ARRAY_LEN(options); i++)
		for (struct qemu_arg *arg = qemu_args_first(words, options[i]); arg;
		     arg = qemu_args_after(words, arg)) {
			const struct qopts *opts = qemu_arg_opts(words, arg);
			const char *what = opts ? needs_program(opts) : NULL;

			if (what)
				ret |= clash_bad(ds, "spawn",
						 arena_printf(ds->mem, "-%s: %s", arg->name, what));
		}
	return ret;
}

int sandbox_rules(const struct plan *plan, struct diags *ds)
{
	int ret = 0;

	if (plan->desc->probe == PROBE_PRINTS || !sandbox_on(plan))
		return 0;
	for (unsigned i = 0; i < ARRAY_LEN(clashes); i++) {
		const struct clash *clash = &clashes[i];

		if (denies(plan, clash->key) && asks(plan, clash))
			ret |= clash_bad(ds, clash->key,
					 arena_printf(ds->mem, "-%s%s%s needs what it denies",
						      qemu_option_row(clash->option)->name,
						      clash->with ? " " : "",
						      clash->with ? clash->with : ""));
	}
	if (denies(plan, "spawn") && !plan->confine.filter)
		ret |= rule_programs(plan, ds);
	return ret;
}
