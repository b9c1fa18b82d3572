/*
 * limits.c - the limit on descriptors
 */
#include "config.h"

#include "act/limits.h"

#include <errno.h>
#include <sys/resource.h>

int limits_raise(const struct plan *plan, struct diags *ds)
{
	const struct rlimit limit = { .rlim_cur = plan->nofile,
				      .rlim_max = plan->facts->nofile_hard };

	/* under a filter it is lowered to this at the end; here it may only grow */
	if (plan->nofile <= plan->facts->nofile_soft || setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return 0;
	return diag_add(ds, DIAG_CALL_FAILED, errno, NULL, "setrlimit",
			"RLIMIT_NOFILE could not be raised to %lu", plan->nofile);
}
