/* parts.h - the parts of verify, each of which adds statements */
#ifndef QH_CTL_PARTS_H
#define QH_CTL_PARTS_H

#include "ctl/running.h"
#include "ctl/statements.h"
#include "ctl/want.h"

struct verify {
	struct ctl *ctl;
	struct running running;
	struct want want;
	struct statements list;
};

/* Ids, capabilities, filters and cgroups of every thread, and vhost workers. */
void verify_confinement(struct verify *v);
/* Descriptors, their links, who else holds them, passt. */
void verify_devices(struct verify *v);
/* What carries the frames in so many seconds. */
void verify_load(struct verify *v, unsigned seconds);

#endif
