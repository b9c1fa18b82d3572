/* files.h - examine device nodes, programs, sockets and directories with stat(2) and access(2) */
#ifndef QH_LOOK_FILES_H
#define QH_LOOK_FILES_H

#include <sys/stat.h>

#include "facts/facts.h"

struct node files_node(const char *path);
/* Does not set .script. */
struct program files_program(const char *path);
/* The same with .script, which needs to read the first bytes of the file. */
struct program files_program_text(const char *path);
/*
 * Has the file a POSIX access list, so that its mode does not say who may open it? Also true where
 * that cannot be known.
 */
bool files_acl(const char *path);
/* What has this name, itself: a file to replace, or a link, which is not followed. */
struct spot files_target(const char *path);
/* want: S_IFSOCK to connect to it, S_IFDIR to make files in it. */
struct spot files_spot(const char *path, mode_t want);

#endif
