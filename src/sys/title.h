/* title.h - what ps(1) and /proc show of this process */
#ifndef QH_SYS_TITLE_H
#define QH_SYS_TITLE_H

/*
 * For a process that goes on without an exec: its name and its whole command line become `name` (up
 * to 15 bytes), and the strings of its environment are erased. getenv(3) finds nothing afterwards.
 */
void title_set(const char *name);

#endif
