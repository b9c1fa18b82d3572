/*
 * input.c - read the text of the descriptor
 *
 * Standard input belongs to QEMU as much as to us: a QMP client or a serial console may write to it
 * right after the descriptor. So bytes are examined first, and consumed only when they are known to
 * belong to the object. Bytes of an unfinished object are consumed as they arrive: they are ours
 * whatever follows, and a pipe must be emptied before its writer can continue.
 *
 * Never: waits longer than the deadline, reads a terminal, or consumes a byte after the object.
 */
#include "config.h"

#include "look/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sys/deadline.h"
#include "sys/fd.h"
#include "base/scan.h"
#include "sys/readfile.h"

enum { PIECE = 16 * 1024 };

/*
 * One source being read. peek shows bytes without consuming them; take consumes exactly len of
 * them.
 */
struct stream {
	const struct input *input;
	struct diags *ds;
	int fd;
	ssize_t (*peek)(struct stream *st, char *buf, size_t size);
	bool (*take)(struct stream *st, char *buf, size_t len);
	int pipe[2]; /* where tee() puts its copy */
	struct deadline deadline;
	char *buf;
	size_t len;
	struct scan scan;
};

static int bad(struct stream *st, enum diag_id id, int err, const char *message)
{
	return diag_add(st->ds, id, err, NULL, st->input->name, "%s", message);
}

/* --- waiting ---------------------------------------------------------------------------------- */

/* Wait until there is something to read (end of file counts), or the deadline passes. */
static int wait_readable(struct stream *st)
{
	struct pollfd pfd = { .fd = st->fd, .events = POLLIN };
	int n;

	do
		n = poll(&pfd, 1, deadline_left(&st->deadline));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return bad(st, DIAG_DESC_UNREADABLE, errno, "waiting for the descriptor failed");
	if (n == 0) {
		(void)diag_add(st->ds, DIAG_DESC_TIMEOUT, 0, NULL, st->input->name,
			       "no complete descriptor within %u s; %zu bytes arrived",
			       st->input->timeout, st->len);
		diag_hint(st->ds, "write one complete JSON object, or allow more time with "
				  "--timeout");
		return -1;
	}
	return 0;
}

/* --- the three kinds of source ---------------------------------------------------------------- */

static bool read_whole(int fd, char *buf, size_t len)
{
	while (len > 0) {
		const ssize_t n = read(fd, buf, len);

		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		if (n > 0) {
			buf += n;
			len -= (size_t)n;
		}
	}
	return true;
}

static ssize_t pipe_peek(struct stream *st, char *buf, size_t size)
{
	const ssize_t n = tee(st->fd, st->pipe[1], size, SPLICE_F_NONBLOCK);

	if (n > 0 && !read_whole(st->pipe[0], buf, (size_t)n))
		return -1;
	return n;
}

static bool pipe_take(struct stream *st, char *buf, size_t len)
{
	return read_whole(st->fd, buf, len);
}

static ssize_t socket_peek(struct stream *st, char *buf, size_t size)
{
	return recv(st->fd, buf, size, MSG_PEEK | MSG_DONTWAIT);
}

static bool socket_take(struct stream *st, char *buf, size_t len)
{
	return recv(st->fd, buf, len, MSG_WAITALL) == (ssize_t)len;
}

static ssize_t file_peek(struct stream *st, char *buf, size_t size)
{
	const off_t at = lseek(st->fd, 0, SEEK_CUR);

	return at < 0 ? -1 : pread(st->fd, buf, size, at);
}

static bool file_take(struct stream *st, char *buf, size_t len)
{
	(void)buf; /* already has them */
	return lseek(st->fd, (off_t)len, SEEK_CUR) >= 0;
}

static int stdin_unusable(struct stream *st, const char *what)
{
	(void)bad(st, DIAG_STDIN_UNUSABLE, 0, what);
	diag_hint(st->ds,
		  "pipe the descriptor in, or name its file with --descriptor=FILE, or with "
		  "QEMU_HANDOFF_DESCRIPTOR=/FILE for a drop-in");
	return -1;
}

static int classify_chr(struct stream *st, const struct stat *sb)
{
	if (st->input->was_closed)
		return stdin_unusable(st, "it was closed, so there is no descriptor to read");
	if (sb->st_rdev == makedev(1, 3))
		return stdin_unusable(st, "it is /dev/null, so there is no descriptor to read");
	return stdin_unusable(st, isatty(st->fd)
					  ? "it is a terminal"
					  : "it is a device, not a pipe, a socket or a file");
}

static int classify_socket(struct stream *st)
{
	int type = 0, listening = 0;
	socklen_t len = sizeof(int);

	if (getsockopt(st->fd, SOL_SOCKET, SO_TYPE, &type, &len) < 0 || type != SOCK_STREAM)
		return stdin_unusable(st, "it is a message socket; a stream is needed");
	len = sizeof(int);
	if (getsockopt(st->fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &len) == 0 && listening)
		return stdin_unusable(st, "it is a listening socket");
	st->peek = socket_peek;
	st->take = socket_take;
	return 0;
}

static int classify(struct stream *st)
{
	struct stat sb;

	if (fstat(st->fd, &sb) < 0)
		return bad(st, DIAG_DESC_UNREADABLE, errno,
			   "the descriptor cannot be read");
	if (S_ISCHR(sb.st_mode))
		return classify_chr(st, &sb);
	if (S_ISSOCK(sb.st_mode))
		return classify_socket(st);
	if (S_ISREG(sb.st_mode)) {
		st->peek = file_peek;
		st->take = file_take;
		return 0;
	}
	if (!S_ISFIFO(sb.st_mode))
		return stdin_unusable(st, "it is not a pipe, a socket or a file");
	if (pipe2(st->pipe, O_CLOEXEC) < 0)
		return bad(st, DIAG_CALL_FAILED, errno, "could not create a pipe to examine the "
							"descriptor");
	st->peek = pipe_peek;
	st->take = pipe_take;
	return 0;
}

/* --- one object ------------------------------------------------------------------------------- */

static int refuse_start(struct stream *st)
{
	const char *what = st->buf[0] == '\0' ? "a NUL byte" : "not a JSON object";

	(void)bad(st, DIAG_DESC_SYNTAX, 0, what);
	diag_place(st->ds, st->buf, strspn(st->buf, " \t\r\n"));
	diag_hint(st->ds, "begin the descriptor with '{'");
	return -1;
}

static int ended_early(struct stream *st)
{
	if (strspn(st->buf, " \t\r\n") == st->len) {
		(void)bad(st, DIAG_DESC_EMPTY, 0, "it is empty");
		diag_hint(st->ds, "write one JSON object");
		return -1;
	}
	(void)bad(st, DIAG_DESC_SYNTAX, 0, "it ends inside the object");
	diag_place(st->ds, st->buf, st->len);
	return -1;
}

static int too_large(struct stream *st)
{
	return diag_add(st->ds, DIAG_DESC_TOO_LARGE, 0, NULL, st->input->name,
			"the descriptor is larger than %d KiB", INPUT_MAX / 1024);
}

/*
 * Examine what is there and consume what is ours. 1: the object is complete; 0: continue; -1: a
 * diag.
 */
static int one_piece(struct stream *st)
{
	char *at = st->buf + st->len;
	const size_t room = INPUT_MAX + 1 - st->len;
	const ssize_t n = st->peek(st, at, room < PIECE ? room : PIECE);
	size_t mine;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n < 0)
		return bad(st, DIAG_DESC_UNREADABLE, errno,
			   "the descriptor cannot be read");
	at[n] = '\0';
	if (n == 0)
		return ended_early(st);
	mine = scan_feed(&st->scan, at, (size_t)n);
	if (st->scan.not_object)
		return refuse_start(st);
	st->len += mine;
	if (st->len > INPUT_MAX)
		return too_large(st);
	if (!st->take(st, at, mine))
		return bad(st, DIAG_DESC_UNREADABLE, errno,
			   "the descriptor changed while it was being read");
	st->buf[st->len] = '\0';
	return st->scan.done;
}

/* A writer of one line also wrote the newline at its end; it may not be there (yet). */
static void take_newline(struct stream *st)
{
	char c = '\0';

	if (st->peek(st, &c, 1) == 1 && c == '\n')
		(void)st->take(st, &c, 1);
}

static int read_object(struct stream *st)
{
	int done = 0;

	while (done == 0)
		done = wait_readable(st) < 0 ? -1 : one_piece(st);
	if (done < 0)
		return -1;
	take_newline(st);
	return 0;
}

static int read_stream(struct stream *st)
{
	int ret = classify(st) < 0 || !st->peek ? -1 : read_object(st);

	fd_close(&st->pipe[0]);
	fd_close(&st->pipe[1]);
	return ret;
}

/* --- a file ----------------------------------------------------------------------------------- */

static int check_trailing(struct stream *st, const char *rest)
{
	const size_t space = strspn(rest, " \t\r\n");

	if (rest + space == st->buf + st->len)
		return 0;
	(void)bad(st, DIAG_DESC_TRAILING, 0, "trailing data after the object");
	diag_place(st->ds, st->buf, (size_t)(rest - st->buf) + space);
	return -1;
}

/* Is the text one object and nothing else? */
static int check_whole(struct stream *st)
{
	const size_t end = scan_feed(&st->scan, st->buf, st->len);

	if (st->scan.not_object)
		return refuse_start(st);
	if (!st->scan.done)
		return ended_early(st);
	if (check_trailing(st, st->buf + end) < 0)
		return -1;
	st->len = end;
	return 0;
}

static int read_to_end(struct stream *st)
{
	ssize_t n = 1;

	while (n != 0 && st->len <= INPUT_MAX) {
		if (wait_readable(st) < 0)
			return -1;
		n = read(st->fd, st->buf + st->len, INPUT_MAX + 1 - st->len);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return bad(st, DIAG_DESC_UNREADABLE, errno,
				   "the descriptor cannot be read");
		st->len += n > 0 ? (size_t)n : 0;
	}
	st->buf[st->len] = '\0';
	return st->len > INPUT_MAX ? too_large(st) : check_whole(st);
}

static int not_a_file(struct stream *st)
{
	struct stat sb;

	(void)bad(st, DIAG_DESC_UNREADABLE, 0, "not a file or a pipe");
	if (stat(st->input->text, &sb) == 0 && S_ISDIR(sb.st_mode))
		diag_hint(st->ds, "end a directory of descriptors with a slash: %s/",
			  st->input->text);
	return -1;
}

static int read_file(struct stream *st)
{
	/* the writer of a named pipe, or of bash's <(...), may be late */
	AUTO_FD fd = readfile_open(st->input->text, true);

	if (fd < 0 && errno == EINVAL)
		return not_a_file(st);
	if (fd < 0)
		return bad(st, DIAG_DESC_UNREADABLE, errno, "the descriptor cannot be opened");
	st->fd = fd;
	return read_to_end(st);
}

static int read_inline(struct stream *st)
{
	st->len = strlen(st->input->text);
	if (st->len > INPUT_MAX)
		return too_large(st);
	memcpy(st->buf, st->input->text, st->len + 1);
	return check_whole(st);
}

int input_read(const struct input *input, struct arena *mem, const char **ret_text, size_t *ret_len,
	       struct diags *ds)
{
	struct stream st = { .input = input, .ds = ds, .fd = input->fd, .pipe = { -1, -1 },
			     .deadline = deadline_in(input->timeout * 1000) };
	int bad_input;

	st.buf = arena_get(mem, INPUT_MAX + 2);
	ds->source = (struct source){ .name = input->name };
	switch (input->kind) {
	case INPUT_STREAM:
		bad_input = read_stream(&st);
		break;
	case INPUT_FILE:
		bad_input = read_file(&st);
		break;
	case INPUT_INLINE:
		bad_input = read_inline(&st);
		break;
	case INPUT_OPENED:
		bad_input = read_to_end(&st);
		break;
	case INPUT_DIR: /* launch.c has made the other of it */
	default:
		bad_input = -1;
		break;
	}
	if (bad_input < 0)
		return -1;
	ds->source.text = st.buf;
	*ret_text = st.buf;
	*ret_len = st.len;
	return 0;
}

bool input_stays(const struct input *input)
{
	struct stat st;

	switch (input->kind) {
	case INPUT_STREAM:
		return false;
	case INPUT_FILE:
		return stat(input->text, &st) < 0 || !S_ISFIFO(st.st_mode);
	case INPUT_INLINE:
	case INPUT_DIR:
	case INPUT_OPENED:
		return true;
	}
	return false;
}
