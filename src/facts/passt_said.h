/*
 * passt_said.h - what passt means by what it says when it does not start. Pure.
 *
 * passt ends with status 1 whatever the reason, so only its words tell. They were measured with the
 * passt of Debian 12 (2023-03), Debian 13 (2025-05) and its backports (2026-01). What is in none of
 * them is DIAG_PASST_FAILED, whose status does not ask for a retry.
 */
#ifndef QH_FACTS_PASST_SAID_H
#define QH_FACTS_PASST_SAID_H

#include "base/diag.h"

struct passt_meaning {
	enum diag_id id;
	const char *hint;		/* NULL: none */
};

/* Is it about a port, and without the reason? That of 2023 is: then the port has to be tried. */
bool passt_hides_reason(const char *said);
/* said: its lines, as one text. port_err: of that trial, 0 where there was none or it worked. */
struct passt_meaning passt_meaning(const char *said, int port_err);

#endif
