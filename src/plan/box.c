/*
 * box.c - the rules of "landlock" as an object, the box
 *
 * The domain takes away every right that this kernel's Landlock knows for files, and a rule gives
 * some back for one file, or for a directory and all that is below it. The rights, and the versions
 * in which they came, are those of linux/landlock.h and Documentation/userspace-api/landlock.rst,
 * Linux 6.12 and 7.1.
 */
#include "config.h"

#include "plan/box.h"

#include <stddef.h>

#include "base/bounds.h"

enum {
	FS_EXECUTE	= 1 << 0,
	FS_WRITE_FILE	= 1 << 1,
	FS_READ_FILE	= 1 << 2,
	FS_READ_DIR	= 1 << 3,
	FS_REMOVE_DIR	= 1 << 4,
	FS_REMOVE_FILE	= 1 << 5,
	FS_MAKE_DIR	= 1 << 7,
	FS_MAKE_REG	= 1 << 8,
	FS_MAKE_SOCK	= 1 << 9,
	FS_MAKE_FIFO	= 1 << 10,
	FS_MAKE_SYM	= 1 << 12,
	FS_REFER	= 1 << 13,
	FS_TRUNCATE	= 1 << 14,
	FS_IOCTL_DEV	= 1 << 15,
	FS_RESOLVE_UNIX	= 1 << 16,
	/* what a rule on something that is no directory may give; others are EINVAL */
	FS_OF_FILE	= FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV |
			  FS_RESOLVE_UNIX,
	FS_OF_READ	= FS_READ_FILE | FS_READ_DIR,
	FS_OF_DEVICE	= FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV,
	FS_OF_WRITE	= FS_OF_READ | FS_OF_DEVICE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR |
			  FS_MAKE_REG | FS_MAKE_SOCK | FS_MAKE_FIFO | FS_MAKE_SYM | FS_REFER |
			  FS_RESOLVE_UNIX,
};

static const struct {
	const char *name;
	uint64_t rights;
} accesses[BOX_ACCESS__COUNT] = {
	[BOX_READ]	= { "read",	FS_OF_READ },
	[BOX_EXECUTE]	= { "execute",	FS_OF_READ | FS_EXECUTE },
	[BOX_DEVICE]	= { "device",	FS_OF_DEVICE },
	[BOX_WRITE]	= { "write",	FS_OF_WRITE },
};

/* The versions that brought rights which the box is about, and what goes unbounded before them. */
static const struct {
	int abi;
	unsigned rights;		/* all rights for files of this version */
	const char *without;		/* NULL: nothing that the box promises */
} versions[] = {
	{ 1, (1 << 13) - 1,	NULL },
	/* before it, what REFER allows is refused everywhere */
	{ 2, (1 << 14) - 1,	NULL },
	{ 3, (1 << 15) - 1,	"truncating files" },
	{ 5, (1 << 16) - 1,	"ioctl of devices" },
	{ 6, (1 << 16) - 1,	"signals and abstract sockets" },
	{ 9, (1 << 17) - 1,	NULL },
};

const char *box_access_name(enum box_access access)
{
	return accesses[access].name;
}

static void put_lacks(struct str *s, const void *arg)
{
	const int abi = *(const int *)arg;
	const char *between = "";

	for (unsigned i = 0; i < ARRAY_LEN(versions); i++) {
		if (versions[i].abi <= abi || !versions[i].without)
			continue;
		str_put(s, "%s%s", between, versions[i].without);
		between = "; ";
	}
}

static uint64_t rights_of(int abi)
{
	uint64_t ret = 0;

	for (unsigned i = 0; i < ARRAY_LEN(versions); i++)
		if (versions[i].abi <= abi)
			ret = versions[i].rights;
	return ret;
}

static int rule_rights(struct plan *plan, struct diags *ds)
{
	const int abi = plan->facts->landlock_abi;
	const char *lacks = str_make(ds->mem, put_lacks, &abi);

	if (!lacks[0])
		return 0;
	plan->confine.box.lacks = lacks;
	if (plan->desc->box.optional) {
		(void)diag_add(ds, DIAG_LANDLOCK_PARTLY, 0, KEY(NULL, "landlock"), NULL,
			       "this kernel's Landlock (ABI %d) does not bound: %s", abi, lacks);
		return 0;
	}
	(void)diag_add(ds, DIAG_LANDLOCK_RIGHTS, 0, KEY(NULL, "landlock"), NULL,
		       "this kernel's Landlock (ABI %d) does not bound: %s", abi, lacks);
	diag_hint(ds, "run Linux 6.12 or later, or add \"optional\": true");
	return -1;
}

static const char *list_of(const struct box_spot *spot)
{
	return spot->access == BOX_WRITE ? "write" : "read";
}

static int rule_spot(const struct box_spot *spot, struct diags *ds)
{
	const struct where *box = KEY(NULL, "landlock");
	const struct where *at = spot->named ? KEY(box, "files")
					     : ITEM(KEY(box, list_of(spot)), spot->index);

	if ((spot->why && !spot->named) || (spot->err == 0 && !spot->in_proc))
		return 0;
	if (spot->in_proc) {
		(void)diag_add(ds, DIAG_LANDLOCK_PATH, 0, at, spot->path,
			       "the kernel forgets rules for single files of a procfs");
		diag_hint(ds, "list /proc");
		return -1;
	}
	if (spot->named)
		return diag_add(ds, DIAG_LANDLOCK_PATH, spot->err, at, spot->path,
				"%s names it, and a rule is for something that is there",
				spot->why);
	(void)diag_add(ds, DIAG_LANDLOCK_PATH, spot->err, at, spot->path,
		       "a rule is for something that is there");
	if (spot->access == BOX_WRITE)
		diag_hint(ds, "make it before the launch, or list its directory");
	return -1;
}

int box_decide(struct plan *plan, struct diags *ds)
{
	const struct facts *facts = plan->facts;
	struct box_plan *box = &plan->confine.box;
	struct box_rule *rules;
	int bad = 0;

	if (!plan->desc->box.on || !plan->confine.landlock)
		return 0;
	bad |= rule_rights(plan, ds);
	rules = arena_array(ds->mem, facts->n_box, sizeof(*rules));
	box->handled = rights_of(facts->landlock_abi);
	for (unsigned i = 0; i < facts->n_box; i++) {
		const struct box_spot *spot = &facts->box[i];

		bad |= rule_spot(spot, ds);
		rules[i] = (struct box_rule){
			.spot = spot,
			.rights = accesses[spot->access].rights & box->handled &
				  (spot->dir ? ~UINT64_C(0) : FS_OF_FILE),
			.why = spot->why ? spot->why
					 : arena_printf(ds->mem, "landlock.%s[%u]", list_of(spot),
							spot->index),
		};
	}
	box->rules = rules;
	box->n = facts->n_box;
	return bad;
}

void box_unbounded(const struct plan *plan, const char *ret[BOX_UNBOUNDED_MAX])
{
	const struct confine_plan *c = &plan->confine;
	unsigned n = 0;

	if (c->box.lacks)
		ret[n++] = c->box.lacks;
	if (!(c->box.handled & FS_RESOLVE_UNIX))
		ret[n++] = "connections to unix sockets by path";
	ret[n++] = "TCP and UDP";
	ret[n++] = "stat and times of files";
	if (!c->filter || plan->desc->seccomp.bpf ||
	    plan->desc->seccomp.action == FILTER_LOG ||
	    (c->groups & FILTER_GROUP_BIT(FILTER_GROUP_9p)))
		ret[n++] = "mode, owner and attributes of files";
	ret[n] = NULL;
}
