/*
 * qemuver.c - the version of a QEMU, from its file
 *
 * Every QEMU prints "QEMU emulator version 7.2.22 (...)" from one literal (version() in
 * softmmu/vl.c, now system/vl.c), so the text stands whole in a segment that is not writable.
 */
#include "config.h"

#include "look/qemuver.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "sys/fd.h"

static const char text[] = "QEMU emulator version ";

enum {
	PIECE = 64 * 1024, /* read at a time */
	TAIL = 64,         /* the text and its number, which may lie across two pieces */
	SEGMENT_MAX = 64 * 1024 * 1024, /* of QEMU 7.2 to 11.1 none is larger than 12 MiB */
	SEGMENTS_MAX = 64,
};

static bool read_at(int fd, void *ret, size_t len, uint64_t offset)
{
	return pread(fd, ret, len, (off_t)offset) == (ssize_t)len;
}

/* "7.2.22 (Debian ...": two numbers with a dot between, something else behind. */
static struct qemu_version parse(const char *s)
{
	struct qemu_version ret = { 0 };
	unsigned *number = &ret.major;

	for (; *s >= '0' && *s <= '9' && *number < 1000; s++) {
		*number = *number * 10 + (unsigned)(*s - '0');
		if (number == &ret.major && s[1] == '.') {
			number = &ret.minor;
			s++;
		}
	}
	return number == &ret.minor ? ret : (struct qemu_version){ 0 };
}

static struct qemu_version search(int fd, const Elf64_Phdr *ph, char *buf)
{
	const uint64_t size = ph->p_filesz < SEGMENT_MAX ? ph->p_filesz : SEGMENT_MAX;
	size_t kept = 0;

	for (uint64_t done = 0; done < size;) {
		const size_t want = size - done < PIECE ? (size_t)(size - done) : PIECE;
		const ssize_t n = pread(fd, buf + kept, want, (off_t)(ph->p_offset + done));
		const size_t len = n > 0 ? kept + (size_t)n : 0;
		const char *found;

		if (n <= 0)
			break;
		done += (uint64_t)n;
		buf[len] = '\0';
		found = memmem(buf, len, text, sizeof(text) - 1);
		/* near the end its number may be cut off: the next piece has it whole */
		if (found && (done == size || found + TAIL <= buf + len))
			return parse(found + sizeof(text) - 1);
		kept = len < TAIL ? len : TAIL;
		memmove(buf, buf + len - kept, kept);
	}
	return (struct qemu_version){ 0 };
}

struct qemu_version qemuver_probe(const char *path)
{
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct qemu_version ret = { 0 };
	Elf64_Phdr ph[SEGMENTS_MAX];
	char buf[PIECE + TAIL + 1];
	Elf64_Ehdr eh;

	if (fd < 0 || !read_at(fd, &eh, sizeof(eh), 0) ||
	    memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_phentsize != sizeof(*ph) || eh.e_phnum > SEGMENTS_MAX ||
	    !read_at(fd, ph, eh.e_phnum * sizeof(*ph), eh.e_phoff))
		return ret;
	/*
	 * constants come last in the file and are never executable where the linker separates the
	 * two
	 */
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = eh.e_phnum; ret.major == 0 && i-- > 0;)
			if (ph[i].p_type == PT_LOAD && !(ph[i].p_flags & PF_W) &&
			    !(ph[i].p_flags & PF_X) == (pass == 0))
				ret = search(fd, &ph[i], buf);
	return ret;
}
