/*
 * readback.c - ask the kernel whether this process is confined as planned
 *
 * Every call that confines has answered 0 by now. This looks at the result all the same: what QEMU
 * inherits is what the kernel has, not what was asked of it.
 */
#include "config.h"

#include "act/readback.h"

#include <linux/capability.h>
#include <linux/seccomp.h>

#include "base/capnames.h"
#include "sys/status.h"

static const char file[] = "/proc/self/status";

static int differs(const char *what, unsigned long long have, unsigned long long want,
		   struct diags *ds)
{
	return diag_add(ds, DIAG_READBACK, 0, NULL, file, "%s is %#llx, but the plan has %#llx",
			what, have, want);
}

static int read_it(const struct readback *rb, struct proc_status *ret, struct diags *ds)
{
	const int err = rb->fd >= 0 ? status_read(rb->fd, ret) : status_by_calls(ret);

	return err ? diag_add(ds, DIAG_READBACK, err, NULL, file, "what is in force cannot be read")
		   : 0;
}

void readback_open(const struct plan *plan, struct readback *ret)
{
	const struct confine_plan *c = &plan->confine;

	*ret = (struct readback){
		.fd = -1,
		.wanted = c->take_ids || c->drop_caps || c->no_new_privs || c->filters > 0,
	};
	if (ret->wanted)
		ret->fd = status_open();
}

/* The count has been there since Linux 5.9. `loaded`: programs of this launch so far. */
static int check_filters(const struct plan *plan, const struct proc_status *status,
			 unsigned loaded, struct diags *ds)
{
	const unsigned want = plan->facts->filters + loaded;

	if (loaded > 0 && status->seccomp != SECCOMP_MODE_FILTER)
		return differs("seccomp filter", 0, 1, ds);
	if (status->filters == 0 || status->filters == want)
		return 0;
	return differs("number of seccomp filters", status->filters, want, ds);
}

static int check_ids(const struct plan *plan, const struct proc_status *status, struct diags *ds)
{
	const struct ids_facts *ids = &plan->facts->ids;
	const unsigned uid = plan->confine.take_ids ? ids->uid : plan->facts->uid;
	const unsigned gid = plan->confine.take_ids ? ids->gid : plan->facts->gid;
	const unsigned n_groups = plan->confine.take_ids ? ids->n_groups : plan->facts->n_groups;

	for (unsigned i = 0; i < ARRAY_LEN(status->uid); i++) {
		if (status->uid[i] != uid)
			return differs("uid", status->uid[i], uid, ds);
		if (status->gid[i] != gid)
			return differs("gid", status->gid[i], gid, ds);
	}
	if (status->n_groups != n_groups)
		return differs("number of supplementary groups", status->n_groups, n_groups, ds);
	return 0;
}

static int check_caps(const struct plan *plan, const struct proc_status *status, struct diags *ds)
{
	const uint64_t keep = plan->confine.caps, passed_on = status->uid[1] == 0 ? 0 : keep;
	const bool bounded = (plan->facts->caps.effective & CAP_BIT(CAP_SETPCAP)) != 0;

	if (status->permitted != keep)
		return differs("permitted capabilities", status->permitted, keep, ds);
	if (status->effective != keep)
		return differs("effective capabilities", status->effective, keep, ds);
	if (status->inheritable != passed_on)
		return differs("inheritable capabilities", status->inheritable, passed_on, ds);
	if (status->ambient != passed_on)
		return differs("ambient capabilities", status->ambient, passed_on, ds);
	if (bounded && (status->bounding & ~keep) != 0)
		return differs("bounding set", status->bounding, keep, ds);
	return 0;
}

int readback_ids(const struct plan *plan, const struct readback *rb, struct diags *ds)
{
	struct proc_status status;

	if (!rb->wanted)
		return 0;
	if (read_it(rb, &status, ds) < 0 || check_ids(plan, &status, ds) < 0)
		return -1;
	/* calls do not tell of filters */
	if (rb->fd >= 0 && check_filters(plan, &status, plan->confine.terminal_alone, ds) < 0)
		return -1;
	return plan->confine.drop_caps ? check_caps(plan, &status, ds) : 0;
}

int readback_lock(const struct plan *plan, const struct readback *rb, struct diags *ds)
{
	struct proc_status status;

	if (rb->fd < 0 || plan->desc->seccomp.bpf ||
	    !(plan->confine.no_new_privs || plan->confine.filters > 0))
		return 0;
	if (read_it(rb, &status, ds) < 0)
		return -1;
	if (plan->confine.no_new_privs && !status.no_new_privs)
		return differs("no_new_privs", status.no_new_privs, 1, ds);
	return check_filters(plan, &status, plan->confine.filters, ds);
}
