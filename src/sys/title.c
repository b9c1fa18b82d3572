/*
 * title.c - what ps(1) and /proc show of this process
 *
 * The kernel puts the strings of argv, those of the environment and the path of the program into
 * memory one after the other (fs/exec.c), and /proc/PID/cmdline and environ read them there. Where
 * the last byte of argv is no longer NUL, cmdline is one string from its beginning to the first
 * NUL (fs/proc/base.c, get_mm_cmdline(), since Linux 4.2 in this or a like form).
 */
#include "config.h"

#include "sys/title.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <unistd.h>

/* More than the kernel takes for both together (a quarter of 8 MiB by default, 6 MiB at most). */
enum { STRINGS_MAX = 8 * 1024 * 1024 };

void title_set(const char *name)
{
	char *const begin = program_invocation_name;	/* argv[0] */
	char *const end = (char *)getauxval(AT_EXECFN);	/* the path of the program, after all */
	char *const split = environ && environ[0] ? environ[0] : end;

	(void)prctl(PR_SET_NAME, name);
	/* a loader that was called by its name has put its own words in front: then it is left */
	if (!begin || begin >= split || split > end || end - begin > STRINGS_MAX)
		return;
	explicit_bzero(begin, (size_t)(end - begin));
	/* the last byte is the mark, the NUL before it ends the name */
	for (char *to = begin; *name && to < split - 2; to++)
		*to = *name++;
	split[-1] = '.';
	environ = NULL;
}
