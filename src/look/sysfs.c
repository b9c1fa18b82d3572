/* sysfs.c - what sysfs shows of a macvtap link */
#include "config.h"

#include "look/sysfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sys/readfile.h"

static int sysfs_number(struct sysfs *ret, const char *file, unsigned *number)
{
	char text[32];

	ret->file = file;
	ret->err = readfile_kernel_once(file, text, sizeof(text));
	if (ret->err == 0)
		*number = (unsigned)strtoul(text, NULL, 10);
	return ret->err;
}

static int sysfs_mac(struct sysfs *ret, const char *file)
{
	char text[32];

	ret->file = file;
	ret->err = readfile_kernel_once(file, text, sizeof(text));
	text[ret->err == 0 ? strcspn(text, "\n") : 0] = '\0';
	if (ret->err == 0 && !mac_parse(text, &ret->mac))
		ret->err = EINVAL;
	return ret->err;
}

static int sysfs_dev(struct sysfs *ret, const char *file)
{
	char text[32], *colon;

	ret->file = file;
	ret->err = readfile_kernel_once(file, text, sizeof(text));
	if (ret->err != 0)
		return ret->err;
	ret->dev.major = (unsigned)strtoul(text, &colon, 10);
	if (*colon != ':')
		return ret->err = EINVAL;
	ret->dev.minor = (unsigned)strtoul(colon + 1, NULL, 10);
	return 0;
}

/*
 * The name of the link comes from the kernel, which has validated it. The device of a macvtap is
 * named after its ifindex (drivers/net/macvtap.c): if there is a tapN below a link, N is the
 * ifindex of that link. Only if there is none is the ifindex read, to report which link it is.
 */
struct sysfs sysfs_probe(struct arena *mem, const struct link *link)
{
	const char *address = arena_printf(mem, "/sys/class/net/%s/address", link->name);
	const char *dev = arena_printf(mem, "/sys/class/net/%s/tap%u/dev", link->name,
				       link->ifindex);
	struct sysfs ret = { .ifindex = link->ifindex };

	if (sysfs_dev(&ret, dev) == 0) {
		(void)sysfs_mac(&ret, address);
		return ret;
	}
	ret = (struct sysfs){ 0 };
	if (sysfs_number(&ret, arena_printf(mem, "/sys/class/net/%s/ifindex", link->name),
			 &ret.ifindex) == 0 &&
	    sysfs_mac(&ret, address) == 0)
		(void)sysfs_dev(&ret, dev);
	return ret;
}
