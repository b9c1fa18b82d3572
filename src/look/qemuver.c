/*
 * qemuver.c - the version of a QEMU, from its file
 *
 * Every QEMU prints "QEMU emulator version 7.2.22 (...)" from one literal (version() in
 * softmmu/vl.c, now system/vl.c), so the complete text is in a segment that is not writable.
 */
#include "config.h"

#include "look/qemuver.h"

#include <assert.h>
#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "sys/fd.h"
#include "sys/readfile.h"

static const char mark[] = "QEMU emulator version ";

enum {
	PIECE = 64 * 1024, /* bytes per read */
	TAIL = 128,        /* the marker and its text, which may span two pieces */
	SEGMENT_MAX = 64 * 1024 * 1024, /* of QEMU 7.2 to 11.1 none is larger than 12 MiB */
	SEGMENTS_MAX = 64,
};
static_assert(sizeof(mark) + QEMUVER_TEXT <= TAIL, "a text that is cut off is complete in the next "
						   "piece");

static bool read_at(int fd, void *ret, size_t len, uint64_t offset)
{
	return pread(fd, ret, len, (off_t)offset) == (ssize_t)len;
}

/* "7.2.22 (Debian ...": two numbers separated by a dot, followed by something else. */
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

/* Up to the end of the line, or of the printable text. */
static void copy_line(const char *from, char *ret)
{
	size_t len = 0;

	while (len < QEMUVER_TEXT - 1 && from[len] >= 0x20 && from[len] < 0x7f)
		len++;
	memcpy(ret, from, len);
	ret[len] = '\0';
}

static bool search(int fd, const Elf64_Phdr *ph, char *buf, char *ret)
{
	const uint64_t size = ph->p_filesz < SEGMENT_MAX ? ph->p_filesz : SEGMENT_MAX;
	size_t kept = 0;

	for (uint64_t done = 0; done < size;) {
		const size_t want = size - done < PIECE ? (size_t)(size - done) : PIECE;
		const ssize_t n = pread(fd, buf + kept, want, (off_t)(ph->p_offset + done));
		const size_t len = n > 0 ? kept + (size_t)n : 0;
		const char *found;

		if (n <= 0)
			return false;
		done += (uint64_t)n;
		buf[len] = '\0';
		found = memmem(buf, len, mark, sizeof(mark) - 1);
		/* near the end the number may be cut off: the next piece has all of it */
		if (found && (done == size || found + TAIL <= buf + len)) {
			copy_line(found + sizeof(mark) - 1, ret);
			return true;
		}
		kept = len < TAIL ? len : TAIL;
		memmove(buf, buf + len - kept, kept);
	}
	return false;
}

bool qemuver_text(const char *path, char ret[QEMUVER_TEXT])
{
	AUTO_FD fd = readfile_open(path, false);
	Elf64_Phdr ph[SEGMENTS_MAX];
	char buf[PIECE + TAIL + 1];
	Elf64_Ehdr eh;

	if (fd < 0 || !read_at(fd, &eh, sizeof(eh), 0) ||
	    memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_phentsize != sizeof(*ph) || eh.e_phnum > SEGMENTS_MAX ||
	    !read_at(fd, ph, eh.e_phnum * sizeof(*ph), eh.e_phoff))
		return false;
	/* constants come last, and are not executable where the linker separates the two */
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = eh.e_phnum; i-- > 0;)
			if (ph[i].p_type == PT_LOAD && !(ph[i].p_flags & PF_W) &&
			    !(ph[i].p_flags & PF_X) == (pass == 0) && search(fd, &ph[i], buf, ret))
				return true;
	return false;
}

struct qemu_version qemuver_probe(const char *path)
{
	char text[QEMUVER_TEXT];

	return qemuver_text(path, text) ? parse(text) : (struct qemu_version){ 0 };
}
