/*
 * helper.c - examine qemu-bridge-helper and its access list
 *
 * The list is read as the helper reads it (qemu-bridge-helper.c, the same from QEMU 7.2 to 11.1),
 * so that what it would refuse is known, and by which line. What it would do with an included file
 * that is no regular file, or is very large, is left to it.
 */
#include "config.h"

#include "look/helper.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/capability.h>

#include "facts/acl.h"
#include "look/files.h"
#include "sys/caps.h"
#include "sys/fd.h"
#include "sys/readfile.h"

/* --- the access list -------------------------------------------------------------------------- */

enum { ACL_DEPTH = 32, ACL_SIZE = 64 * 1024 };

/* A file that is being read, and the one that includes it. */
struct acl_file {
	const struct acl_file *from;
	const char *path;
	unsigned depth, line;
};

/* What all rules together say. */
struct acl_state {
	struct arena *mem;
	const char *bridge;
	bool denied, unknown;
	struct acl_facts *ret;
};

static int acl_read(struct acl_state *acl, const struct acl_file *from, const char *path);

static void acl_decided(struct acl_state *acl, const struct acl_file *file, const char *piece)
{
	const size_t start = strspn(piece, " \t"), len = strcspn(piece + start, "\r\n");

	acl->ret->file = file->path;
	acl->ret->line = file->line;
	acl->ret->text = arena_strn(acl->mem, piece + start, len);
}

static bool acl_is_open(const struct acl_file *file, const char *path)
{
	while (file && strcmp(file->path, path) != 0)
		file = file->from;
	return file != NULL;
}

/* The helper ignores why an included file cannot be read, and what is wrong in it. */
static void acl_include(struct acl_state *acl, const struct acl_file *file, const char *path)
{
	int err;

	/* a circle adds nothing: all lines of that file are read anyway */
	if (acl_is_open(file, path))
		return;
	err = file->depth < ACL_DEPTH ? acl_read(acl, file, path) : ELOOP;
	acl->unknown |= err == EINVAL || err == EFBIG || err == ELOOP;
}

static void acl_deny(struct acl_state *acl, const struct acl_file *file, const char *line)
{
	struct acl_facts *ret = acl->ret;

	if (!acl->denied) {
		ret->nearly = false;
		acl_decided(acl, file, line);
	} else if (strcmp(ret->file, file->path) == 0 && ret->n_deny < ACL_DENY_MAX) {
		ret->deny[ret->n_deny++] = file->line;
	} else {
		ret->deny_unlisted = true;
	}
	acl->denied = true;
}

static void acl_allow(struct acl_state *acl, const struct acl_file *file,
		      const struct acl_rule *rule, const char *line)
{
	if (acl_matches(rule, acl->bridge)) {
		if (!acl->ret->allows && !acl->denied) {
			acl->ret->nearly = false;
			acl_decided(acl, file, line);
		}
		acl->ret->allows = true;
	} else if (acl->ret->line == 0 && acl_nearly(rule, acl->bridge)) {
		acl->ret->nearly = true;
		acl_decided(acl, file, line);
	}
}

/* false: the helper stops reading here. */
static bool acl_line(struct acl_state *acl, const struct acl_file *file, char *piece)
{
	const char *line = arena_str(acl->mem, piece);
	const struct acl_rule rule = acl_read_rule(piece);

	switch (rule.word) {
	case ACL_WORD_NONE:
		break;
	case ACL_WORD_BAD:
		/* of the list itself only: the rules before it, in an included file, hold */
		if (!file->from)
			acl_decided(acl, file, line);
		return false;
	case ACL_WORD_INCLUDE:
		acl_include(acl, file, rule.arg);
		break;
	case ACL_WORD_DENY:
		if (acl_matches(&rule, acl->bridge))
			acl_deny(acl, file, line);
		break;
	case ACL_WORD_ALLOW:
		acl_allow(acl, file, &rule, line);
		break;
	}
	return true;
}

/* Bytes of the file, or -1 with errno. */
static ssize_t acl_load(const char *path, char *ret)
{
	AUTO_FD fd = readfile_open(path, false);
	ssize_t n = fd < 0 ? -1 : 0, len = 0;

	while (fd >= 0 && len < ACL_SIZE && (n = read(fd, ret + len, (size_t)(ACL_SIZE - len))) > 0)
		len += n;
	if (n < 0)
		return -1;
	if (len == ACL_SIZE) {
		errno = EFBIG;
		return -1;
	}
	return len;
}

static int acl_read(struct acl_state *acl, const struct acl_file *from, const char *path)
{
	struct acl_file file = { .from = from, .path = arena_str(acl->mem, path),
				 .depth = from ? from->depth + 1 : 0 };
	char *text = arena_get(acl->mem, ACL_SIZE + 1), piece[ACL_PIECE_MAX + 1];
	const ssize_t size = acl_load(path, text);
	size_t len;

	if (size < 0)
		return errno;
	for (size_t at = 0; at < (size_t)size; at += len) {
		len = acl_piece(text + at, (size_t)size - at);
		memcpy(piece, text + at, len);
		piece[len] = '\0';
		/* pieces of one line have one number */
		file.line += at == 0 || text[at - 1] == '\n';
		if (!acl_line(acl, &file, piece))
			return EBADMSG;
	}
	return 0;
}

static enum acl acl_verdict(const struct acl_state *acl, int err)
{
	switch (err) {
	case 0:		break;
	case ENOENT:	return ACL_MISSING;
	case EBADMSG:	return ACL_BAD_LINE;
	default:	return ACL_UNREADABLE;
	}
	if (acl->denied)
		return ACL_DENIED;
	return acl->unknown ? ACL_UNKNOWN : acl->ret->allows ? ACL_ALLOWED : ACL_DENIED;
}

static void acl_probe(struct arena *mem, const struct nic *nic, const char *list,
		      struct acl_facts *ret)
{
	struct acl_state acl = { .mem = mem, .bridge = nic->bridge, .ret = ret };

	*ret = (struct acl_facts){ .verdict = ACL_UNKNOWN, .list = list };
	if (!list)
		return;
	ret->err = acl_read(&acl, NULL, list);
	ret->verdict = acl_verdict(&acl, ret->err);
}

/* --- the program ------------------------------------------------------------------------------ */

/* A helper of the caller's choice may have been built with another list. */
static const struct { const char *path, *list; } known_helpers[] = {
	{ "/usr/lib/qemu/qemu-bridge-helper", BRIDGE_CONF },	/* Debian, Ubuntu */
	{ "/usr/libexec/qemu-bridge-helper", BRIDGE_CONF },	/* Fedora, openSUSE */
	/* QEMU's own default, with its own directory for configuration */
	{ "/usr/local/libexec/qemu-bridge-helper", "/usr/local/etc/qemu/bridge.conf" },
};

static const char *find_list(const char *helper)
{
	for (unsigned i = 0; i < ARRAY_LEN(known_helpers); i++)
		if (strcmp(helper, known_helpers[i].path) == 0)
			return known_helpers[i].list;
	return NULL;
}

static const char *find_helper(const struct nic *nic)
{
	if (nic->helper)
		return nic->helper;
	for (unsigned i = 0; i < ARRAY_LEN(known_helpers); i++)
		if (files_program(known_helpers[i].path).err == 0)
			return known_helpers[i].path;
	return known_helpers[0].path;
}

/* What makes it privileged besides the set-uid bit, and what takes both away. */
static void probe_privilege(struct program *helper)
{
	const uint64_t admin = UINT64_C(1) << CAP_NET_ADMIN;
	struct statfs fs;
	struct caps caps;

	if (helper->err != 0 || !helper->regular)
		return;
	(void)caps_of_file(helper->path, &caps);
	helper->net_admin = (caps.effective & admin) != 0;
	helper->has_caps = (caps.permitted | caps.inheritable) != 0;
	helper->nosuid = statfs(helper->path, &fs) == 0 && (fs.f_flags & ST_NOSUID) != 0;
}

void helper_probe(const struct nic *nic, struct arena *mem, struct nic_facts *ret)
{
	ret->helper = files_program_text(find_helper(nic));
	probe_privilege(&ret->helper);
	acl_probe(mem, nic, find_list(ret->helper.path), &ret->acl);
}
