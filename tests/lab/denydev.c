/*
 * denydev.c - deny a cgroup (v2) the use of one device: denydev CGROUP MAJOR MINOR
 *
 * What systemd's DeviceAllow= and container managers do, and no tool of a small image can: a BPF
 * program of type CGROUP_DEVICE. It stays attached when this process ends, until the cgroup goes away.
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int load(unsigned major, unsigned minor)
{
	const struct bpf_insn code[] = {
		/* r2 = major, r3 = minor; return not(both are the device's) */
		{ BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct bpf_cgroup_dev_ctx, major), 0 },
		{ BPF_LDX | BPF_MEM | BPF_W, 3, 1, offsetof(struct bpf_cgroup_dev_ctx, minor), 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 1 },
		{ BPF_JMP | BPF_JNE | BPF_K, 2, 0, 2, (int)major },
		{ BPF_JMP | BPF_JNE | BPF_K, 3, 0, 1, (int)minor },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
	attr.insns = (uintptr_t)code;
	attr.insn_cnt = sizeof(code) / sizeof(code[0]);
	attr.license = (uintptr_t)"GPL";
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

int main(int argc, char **argv)
{
	union bpf_attr attr;

	if (argc != 4) {
		(void)fprintf(stderr, "usage: denydev CGROUP MAJOR MINOR\n");
		return 2;
	}
	memset(&attr, 0, sizeof(attr));
	attr.attach_type = BPF_CGROUP_DEVICE;
	attr.target_fd = (uint32_t)open(argv[1], O_RDONLY | O_DIRECTORY);
	attr.attach_bpf_fd = (uint32_t)load((unsigned)strtoul(argv[2], NULL, 10), (unsigned)strtoul(argv[3], NULL, 10));
	attr.attach_flags = BPF_F_ALLOW_MULTI;
	if (syscall(SYS_bpf, BPF_PROG_ATTACH, &attr, sizeof(attr)) < 0) {
		perror(argv[1]);
		return 1;
	}
	return 0;
}
