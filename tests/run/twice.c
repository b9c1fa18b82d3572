/*
 * twice.c - start a stand-in for QEMU twice in the same state: by itself, and through the drop-in
 *
 *	twice STDIN STATE RECORDER DROPIN [ARGUMENT]...
 *
 * Both get the same argv (argv[0] is DROPIN), environment, descriptors and state; only the second has
 * $QEMU_HANDOFF_QEMU, in the middle of its environment. The records are $RECORD.plain and $RECORD.dropin.
 *
 *	STDIN	null closed closed-all file eof pipe qmp fifo socket socket-qmp listening pty pty-line
 *	STATE	plain manager nobody
 *
 * "manager" is what libvirt and QEMU's own tests leave behind, and more. Exits with 42 (the recorder's
 * status) when both ran in the process that was started; says what happened when not.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <linux/capability.h>

#define QMP "{ \"execute\": \"qmp_capabilities\" }\n{ \"execute\": \"quit\" }\n"

enum { HIGH = 700 };	/* our own descriptors; the children's are below */

static const char *record;

static void die(const char *what)
{
	(void)printf("%s: %s\n", what, strerror(errno));
	exit(99);
}

static int need(int result, const char *what)
{
	if (result < 0)
		die(what);
	return result;
}

static void put_all(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die("write");
}

/* --- standard input -------------------------------------------------------------------------------- */

/* Both ends stay open here for all of both runs, above every number that the child uses. */
struct source {
	int ours, theirs;
};

static int high(int fd)
{
	const int ret = need(fcntl(fd, F_DUPFD_CLOEXEC, HIGH), "F_DUPFD");

	(void)close(fd);
	return ret;
}

static struct source both(const int ends[2], const char *text)
{
	const struct source ret = { .theirs = high(ends[0]), .ours = high(ends[1]) };

	if (text)
		put_all(ret.ours, text);
	return ret;
}

static struct source stdin_file(void)
{
	const int fd = open(".", O_TMPFILE | O_RDWR, 0600);

	need(fd, "O_TMPFILE");
	put_all(fd, "before the offset\n" QMP);
	need((int)lseek(fd, 18, SEEK_SET), "lseek");
	return (struct source){ -1, high(fd) };
}

static struct source stdin_pipe(const char *text)
{
	int ends[2];

	need(pipe(ends), "pipe");
	return both(ends, text);
}

static struct source stdin_eof(void)
{
	struct source ret = stdin_pipe(QMP);

	(void)close(ret.ours);
	ret.ours = -1;
	return ret;
}

static struct source stdin_fifo(void)
{
	char path[4096];
	int fd;

	(void)snprintf(path, sizeof(path), "%s.fifo", record);
	(void)unlink(path);
	need(mkfifo(path, 0666), "mkfifo");
	fd = need(open(path, O_RDWR), path);
	return (struct source){ -1, high(fd) };
}

static struct source stdin_socket(const char *text)
{
	int ends[2];

	need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
	return both(ends, text);
}

static int listener(const char *name)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	const int fd = need(socket(AF_UNIX, SOCK_STREAM, 0), "socket");

	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s", name);
	(void)unlink(name);
	need(bind(fd, (const struct sockaddr *)&at, sizeof(at)), "bind");
	need(listen(fd, 1), "listen");
	return fd;
}

static struct source stdin_pty(const char *text)
{
	int ours, theirs;

	need(openpty(&ours, &theirs, NULL, NULL, NULL), "openpty");
	if (text) {
		struct pollfd arrived = { .fd = theirs, .events = POLLIN };

		put_all(ours, text);
		(void)poll(&arrived, 1, 5000);	/* the kernel carries it over in its own time */
	}
	return (struct source){ high(ours), high(theirs) };
}

static struct source stdin_make(const char *kind)
{
	static const struct { const char *kind; struct source (*make)(const char *text); const char *text; } kinds[] = {
		{ "pipe",	stdin_pipe,	NULL },		{ "qmp",	stdin_pipe,	QMP },
		{ "socket",	stdin_socket,	NULL },		{ "socket-qmp",	stdin_socket,	QMP },
		{ "pty",	stdin_pty,	NULL },		{ "pty-line",	stdin_pty,	"system_powerdown\n" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kind, kinds[i].kind) == 0)
			return kinds[i].make(kinds[i].text);
	if (strcmp(kind, "null") == 0)
		return (struct source){ -1, high(need(open("/dev/null", O_RDWR), "/dev/null")) };
	if (strcmp(kind, "file") == 0)
		return stdin_file();
	if (strcmp(kind, "eof") == 0)
		return stdin_eof();
	if (strcmp(kind, "fifo") == 0)
		return stdin_fifo();
	if (strcmp(kind, "listening") == 0)
		return (struct source){ -1, high(listener("listening")) };
	if (strncmp(kind, "closed", 6) == 0)
		return (struct source){ -1, -1 };
	errno = EINVAL;
	die(kind);
	abort();
}

/* --- the state ----------------------------------------------------------------------------------------- */

static void ignore_signal(int sig)
{
	(void)signal(sig, SIG_IGN);
}

/* What a manager has open, made once for both runs. */
static struct { int monitor, kernel; } opened;

static void open_all(void)
{
	opened.monitor = high(listener("monitor"));
	opened.kernel = high(need(memfd_create("kernel", 0), "memfd"));
}

/* At the numbers where managers have them; all but 6 and 31 stay open over exec. */
static void state_fds(void)
{
	const struct flock all = { .l_type = F_WRLCK };
	const int fd = need(open("pidfile", O_WRONLY | O_CREAT, 0644), "pidfile");

	need(dup2(fd, 5), "dup2");
	(void)close(fd);
	need(fcntl(5, F_SETLK, &all), "F_SETLK");	/* last: closing any descriptor of the file drops it */
	need(dup2(opened.monitor, 28), "dup2");
	need(dup2(opened.kernel, 4), "dup2");
	need(dup3(opened.kernel, 6, O_CLOEXEC), "dup3");
	need(dup2(2, 200), "dup2");
	need(dup3(2, 31, O_CLOEXEC), "dup3");
}

static void state_signals(void)
{
	sigset_t blocked;

	ignore_signal(SIGPIPE);
	ignore_signal(SIGCHLD);
	ignore_signal(SIGHUP);
	ignore_signal(SIGRTMIN + 3);
	(void)sigemptyset(&blocked);
	(void)sigaddset(&blocked, SIGTERM);
	(void)sigaddset(&blocked, SIGUSR1);
	(void)sigaddset(&blocked, SIGRTMAX);
	(void)sigprocmask(SIG_SETMASK, &blocked, NULL);
	(void)raise(SIGUSR1);
}

static void state_manager(void)
{
	const struct rlimit files = { 512, 2048 }, core = { 0, 0 }, locked = { 1 << 20, 1 << 20 };
	const struct itimerval hour = { .it_value.tv_sec = 3600 };
	cpu_set_t one;

	state_fds();
	state_signals();
	(void)setsid();
	(void)umask(002);
	(void)setrlimit(RLIMIT_NOFILE, &files);
	(void)setrlimit(RLIMIT_CORE, &core);
	(void)setrlimit(RLIMIT_MEMLOCK, &locked);
	(void)setitimer(ITIMER_REAL, &hour, NULL);
	(void)setpriority(PRIO_PROCESS, 0, 3);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	(void)prctl(PR_SET_TIMERSLACK, 77777);
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	(void)personality(ADDR_NO_RANDOMIZE);
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
	need(chdir("/"), "chdir");
}

/* As libvirt probes in system mode: another uid, with one ambient capability. */
static void state_nobody(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	need(prctl(PR_SET_KEEPCAPS, 1), "PR_SET_KEEPCAPS");
	need(setresgid(65534, 65534, 65534), "setresgid");
	need(setresuid(65534, 65534, 65534), "setresuid");
	data[0].effective = data[0].permitted = data[0].inheritable = 1U << CAP_DAC_OVERRIDE;
	need((int)syscall(SYS_capset, &header, data), "capset");
	need(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0), "PR_CAP_AMBIENT");
}

static void state_set(const char *state)
{
	if (strcmp(state, "manager") == 0)
		state_manager();
	else if (strcmp(state, "nobody") == 0)
		state_nobody();
}

/* --- a run ------------------------------------------------------------------------------------------------ */

static void child(const char *kind, const char *state, const struct source *source, const char *program, char **argv)
{
	if (source->theirs >= 0)
		need(dup2(source->theirs, 0), "dup2");
	if (source->theirs >= 0 && isatty(0))
		(void)setsid();
	for (int fd = 3; fd < HIGH; fd++)
		(void)close(fd);
	state_set(state);
	if (strcmp(kind, "closed") == 0 || strcmp(kind, "closed-all") == 0)
		(void)close(0);
	if (strcmp(kind, "closed-all") == 0) {
		(void)close(1);
		(void)close(2);
	}
	(void)execv(program, argv);
	_exit(97);
}

/* 42, or what came instead of it. */
static int run(const char *name, pid_t pid)
{
	char to[4096];
	int status;

	for (int tenths = 0; waitpid(pid, &status, WNOHANG) == 0; tenths++) {
		if (tenths == 100) {
			(void)printf("%s: still there after 10 s\n", name);
			(void)kill(pid, SIGKILL);
			(void)waitpid(pid, &status, 0);
			return 99;
		}
		(void)usleep(tenths < 5 ? 5000 : 100000);
	}
	(void)snprintf(to, sizeof(to), "%s.%s", record, name);
	if (rename(record, to) < 0)
		(void)printf("%s: nothing was recorded\n", name);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 42)
		(void)printf("%s: status %#x\n", name, (unsigned)status);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

/* One more variable for us, not at the end, so that a change of order would show. */
static void say_which_qemu(const char *recorder)
{
	extern char **environ;
	static char *list[1024], text[4096];
	size_t n = 0;

	(void)snprintf(text, sizeof(text), "QEMU_HANDOFF_QEMU=%s", recorder);
	for (; environ[n] && n < 1022; n++)
		list[n + (n > 0)] = environ[n];
	list[1] = text;
	environ = list;
}

int main(int argc, char **argv)
{
	struct source source;
	pid_t pid;
	int ret;

	record = getenv("RECORD");
	if (argc < 5 || !record)
		return 99;
	source = stdin_make(argv[1]);
	open_all();
	pid = fork();
	if (pid == 0)
		child(argv[1], argv[2], &source, argv[3], argv + 4);
	ret = run("plain", pid);
	if (ret != 42)
		return ret;
	say_which_qemu(argv[3]);
	pid = fork();
	if (pid == 0)
		child(argv[1], argv[2], &source, argv[4], argv + 4);
	return run("dropin", pid);
}
