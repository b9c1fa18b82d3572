/*
 * caps.c - capability sets of this process, and of a file
 *
 * The C library has no wrapper for capget(2) and capset(2).
 */
#include "config.h"

#include "sys/caps.h"

#include <endian.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <linux/capability.h>

static uint64_t both(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

int caps_get(struct caps *ret)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	*ret = (struct caps){ 0 };
	if (syscall(SYS_capget, &head, data) < 0)
		return errno;
	ret->effective = both(data[0].effective, data[1].effective);
	ret->permitted = both(data[0].permitted, data[1].permitted);
	ret->inheritable = both(data[0].inheritable, data[1].inheritable);
	return 0;
}

int caps_set(const struct caps *caps)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		data[i] = (struct __user_cap_data_struct){
			.effective = (uint32_t)(caps->effective >> 32 * i),
			.permitted = (uint32_t)(caps->permitted >> 32 * i),
			.inheritable = (uint32_t)(caps->inheritable >> 32 * i),
		};
	return syscall(SYS_capset, &head, data) < 0 ? errno : 0;
}

/*
 * security.capability (linux/capability.h). For a file that belongs to another namespace's root the
 * kernel gives revision 3, and does not honour it (security/commoncap.c).
 */
int caps_of_file(const char *path, struct caps *ret)
{
	struct vfs_cap_data data = { 0 };
	const ssize_t n = getxattr(path, "security.capability", &data, sizeof(data));
	const uint32_t magic = le32toh(data.magic_etc);

	*ret = (struct caps){ 0 };
	if (n < 0)
		return errno == ENODATA ? 0 : errno;
	if (n != sizeof(data) || (magic & VFS_CAP_REVISION_MASK) != VFS_CAP_REVISION_2)
		return EINVAL;
	ret->permitted = both(le32toh(data.data[0].permitted), le32toh(data.data[1].permitted));
	ret->inheritable = both(le32toh(data.data[0].inheritable),
				le32toh(data.data[1].inheritable));
	ret->effective = magic & VFS_CAP_FLAGS_EFFECTIVE ? ret->permitted : 0;
	return 0;
}

int caps_drop_bounding(uint64_t goes)
{
	/* EINVAL: the kernel has no such capability */
	for (unsigned cap = 0; cap < 64; cap++)
		if ((goes >> cap & 1) && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0 &&
		    errno != EINVAL)
			return errno;
	return 0;
}

int caps_clear_ambient(void)
{
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 || errno == EINVAL)
		return 0;
	return errno;
}
