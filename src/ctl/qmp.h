/*
 * qmp.h - a client of QEMU's monitor (QMP), within one deadline
 *
 * The peer may be anything: a message is bounded, what is not QMP is an error, and nothing is
 * waited for after the deadline.
 */
#ifndef QH_CTL_QMP_H
#define QH_CTL_QMP_H

#include <cjson/cJSON.h>

#include "base/scan.h"
#include "ctl/ctl.h"
#include "sys/deadline.h"

enum { QMP_MESSAGE_MAX = 1024 * 1024 }; /* bytes; query-pci of a full machine takes 100,000 */

struct qmp {
	struct ctl *ctl;
	const char *path;
	int fd;
	unsigned seconds;		/* of the deadline, for messages */
	struct deadline deadline;
	bool broken;			/* after a diag: nothing can be said to QEMU any more */
	unsigned major, minor;		/* of QEMU, by its greeting */
	const char *error;		/* QEMU's own words about the last command that failed */
	const char *awaited;		/* id of a device; the end of it is noted */
	bool deleted;
	bool waits;			/* for an event that may not come: that is no diag */
	unsigned id;			/* of the last command */
	char *buf;
	size_t have, scanned;		/* bytes of buf, and those of them that were looked at */
	struct scan scan;
};

/* Who may be told: root, the caller, and this user if there is one. */
struct qmp_trust {
	bool has_user;
	unsigned user;
};

/*
 * Connect, and have the peer's ids, its greeting and its capabilities. ret->fd is close-on-exec and
 * the caller's. 0, or -1 after a diag.
 */
int qmp_open(struct ctl *ctl, const char *path, const struct qmp_trust *trust, unsigned seconds,
	     struct qmp *ret);
/*
 * Run a command. arguments: a JSON object as text; NULL: none. fd: sent along; -1: none.
 * *ret, if not NULL, is the answer, for cJSON_Delete().
 */
enum qmp_result { QMP_DONE, QMP_REFUSED, QMP_BROKEN };
enum qmp_result qmp_run(struct qmp *qmp, const char *command, const char *arguments, int fd,
			cJSON **ret);
/* The same, where a refusal is a diag, too. 0 or -1. */
int qmp_ask(struct qmp *qmp, const char *command, const char *arguments, cJSON **ret);
/* Until the awaited device is gone: true; false: not in time, or the monitor is broken. */
bool qmp_wait_deleted(struct qmp *qmp);

#endif
