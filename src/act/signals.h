/* signals.h - signals as a fresh process has them */
#ifndef QH_ACT_SIGNALS_H
#define QH_ACT_SIGNALS_H

/*
 * None is ignored and none is blocked. Before a child is started: an ignored SIGCHLD hides its
 * end.
 */
void signals_reset(void);

#endif
