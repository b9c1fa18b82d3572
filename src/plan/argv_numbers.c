/*
 * argv_numbers.c - descriptor numbers that the caller's words use, against those of the plan
 */
#include "config.h"

#include "plan/argv_numbers.h"

#include "desc/cmdline.h"

/*
 * -add-fd duplicates its descriptor and closes it (QEMU's softmmu/vl.c, cleanup_add_fd): the netdev
 * gets none.
 */
int argv_numbers_check(const struct plan *plan, struct diags *ds)
{
	const struct qemu_args *words = plan->desc->words;
	int ret = 0;

	for (struct qemu_arg *arg = qemu_args_first(words, QEMU_OPTION_add_fd); arg;
	     arg = qemu_args_after(words, arg)) {
		const struct qopts *opts = qemu_arg_opts(words, arg);
		const char *text = opts ? qopts_get(opts, "fd") : NULL;
		int fd;

		if (!text || qopts_numbers(text, &fd, 1) != 1)
			continue;
		for (unsigned s = 0; s < plan->n_slots; s++)
			if (plan->slots[s].fd == fd)
				ret |= diag_add(ds, DIAG_ARGV_ADD_FD, 0, plan->slots[s].at, "argv",
						"-add-fd fd=%d: QEMU would close that descriptor "
						"before it is used",
						fd);
	}
	return ret;
}
