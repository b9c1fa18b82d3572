/*
 * readconfig.c - read the files that QEMU's words name with -readconfig
 *
 * They are read by the caller's ids and opened again by QEMU: what is read here decides nothing but
 * what the plan says of QEMU's needs, and a file that changes in between gives QEMU no more than
 * the plan.
 */
#include "config.h"

#include "look/readconfig.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/bounds.h"
#include "sys/fd.h"
#include "sys/readfile.h"

static const char default_file[] = "/etc/qemu/qemu.conf";

static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len < size) {
		n = read(fd, buf + len, size - len);
		len += n > 0 ? (size_t)n : 0;
	}
	return n < 0 ? -1 : (ssize_t)len;
}

static struct config_file read_one(const char *path, struct arena *mem)
{
	struct config_file ret = { .path = path };
	AUTO_FD fd = readfile_open(path, false);
	char *buf;
	ssize_t n;

	if (fd < 0) {
		ret.err = errno;
		return ret;
	}
	/* what is not read is the NUL */
	buf = arena_get(mem, READCONFIG_MAX + 2);
	n = read_all(fd, buf, READCONFIG_MAX + 1);
	if (n < 0)
		ret.err = errno;
	else if (n > READCONFIG_MAX)
		ret.err = EFBIG;
	/* a NUL would end it early for us, and the line for QEMU */
	else if (strlen(buf) != (size_t)n)
		ret.err = EILSEQ;
	else
		ret.text = buf;
	return ret;
}

static unsigned count(const struct cmdline *words, bool *ret_by_default)
{
	struct qemu_arg arg;
	unsigned pos = 0, n = 0;

	*ret_by_default = true;
	while (qemu_arg_next(words, &pos, &arg)) {
		n += arg.row && arg.row->same == QEMU_OPTION_readconfig && arg.value;
		if (arg.row && arg.row->same == QEMU_OPTION_no_user_config)
			*ret_by_default = false;
	}
	return n;
}

void readconfig_read(struct desc *desc, const struct cmdline *cmdline, struct arena *mem)
{
	const struct cmdline words = cmdline_join(desc->args, desc->n_args, cmdline, mem);
	struct qemu_arg arg;
	bool by_default;
	unsigned pos = 0, n = 0, files = count(&words, &by_default);

	desc->configs = arena_array(mem, (size_t)files + 1, sizeof(*desc->configs));
	if (by_default) {
		desc->configs[0] = read_one(default_file, mem);
		desc->configs[0].by_default = true;
		n = desc->configs[0].err != ENOENT;
	}
	while (qemu_arg_next(&words, &pos, &arg)) {
		if (!arg.row || arg.row->same != QEMU_OPTION_readconfig || !arg.value)
			continue;
		desc->configs[n] = n < READCONFIG_FILES ? read_one(arg.value, mem)
							: (struct config_file){ .path = arg.value,
										.err = E2BIG };
		n++;
	}
	desc->n_configs = n;
}
