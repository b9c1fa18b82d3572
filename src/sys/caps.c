/*
 * caps.c - capability sets of this process
 *
 * The C library has no wrapper for capget(2) and capset(2).
 */
#include "config.h"

#include "sys/caps.h"

#include <errno.h>
#include <sys/syscall.h>
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
