/* exec.h - the last steps: limits, standard input, signals, and QEMU */
#ifndef QH_ACT_EXEC_H
#define QH_ACT_EXEC_H

#include "act/lock.h"
#include "plan/plan.h"

/* Open what is closed of 0, 1 and 2 on /dev/null, before anything else could land there. Bit i of the
 * result: descriptor i was closed. -1: even that failed. */
int launch_std_fds(void);
/* Raise the soft limit on descriptors to what the plan needs, before anything is opened. */
int launch_limits(const struct plan *plan, struct diags *ds);
/*
 * Signals as a fresh process has them. Before a helper is started: an ignored SIGCHLD hides its
 * end.
 */
void launch_signals(void);
/* Standard input as the descriptor asks for. */
int launch_stdin(const struct plan *plan, struct diags *ds);
/* The descriptors that were handed to us, not to QEMU, close when it starts: an open cgroup.procs would let it
 * leave its cgroup. */
int launch_close_ours(const struct plan *plan, struct diags *ds);
/* Replace this process by QEMU: only comes back to say why not. envp: without our own variables. */
int launch_exec(const struct plan *plan, const struct one_exec *exec, char *const *envp,
		struct diags *ds);

/* The same by path and with nothing in force. */
int launch_plain(const char *qemu, char *const *argv, char *const *envp, const struct where *at,
		 struct diags *ds);

/*
 * Where private directories are made when the descriptor does not say: XDG_RUNTIME_DIR, else /run.
 */
const char *launch_runtime_dir(void);
/*
 * Before a drop-in exits without QEMU: wait until the manager has connected to the monitor, where
 * the words hand over its listening socket. libvirt 9.0 shows our line only then; earlier, its
 * error is "Connection refused".
 */
void launch_wait_manager(const struct cmdline *cmdline, struct arena *mem);

/* envp without the variables that are for us alone; the array lives in mem. */
char **launch_environment(char *const *envp, struct arena *mem);

#endif
