/*
 * signals.c - signals as a fresh process has them
 */
#include "config.h"

#include "act/signals.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sys/readfile.h"

/* Bit i - 1: signal i is ignored. All of them when it cannot be known. */
static unsigned long long ignored_signals(void)
{
	char status[4096], *line;

	if (readfile_kernel_once("/proc/self/status", status, sizeof(status)) != 0)
		return ~0ULL;
	line = strstr(status, "\nSigIgn:");
	return line ? strtoull(line + strlen("\nSigIgn:"), NULL, 16) : ~0ULL;
}

/*
 * A blocked SIGTERM outlives exec and makes QEMU unkillable by it; an ignored SIGCHLD makes
 * waitpid() fail. Handlers there are none: exec resets them. SIGKILL, SIGSTOP and the two signals
 * of the C library cannot be set: those errors mean nothing.
 */
void signals_reset(void)
{
	const unsigned long long ignored = ignored_signals();
	sigset_t none;

	for (int sig = 1; sig < _NSIG; sig++)
		if (ignored & 1ULL << (sig - 1))
			(void)signal(sig, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}
