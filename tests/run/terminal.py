"""terminal.py - QEMU on its caller's terminal: it types nothing, and job control works

Prints TAP. Arguments: qemu-handoff, qemu-handoff-seccomp, the typist, QEMU or "-", and a directory that all may enter.
A shell runs on a terminal made here; what the typist typed, the shell executes when the launch has ended.
"""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

PROGRAM, TOOL, TYPIST, QEMU, DIR = sys.argv[1:6]
DEADLINE = 60
ROOT = os.geteuid() == 0
REFUSED = ["TIOCLINUX", "TIOCSETD", "KDSKBENT", "KDSKBSENT", "KDSETKEYCODE", "KDSKBDIACR", "KDSKBDIACRUC"]
REFUSED += [f"upper {name}" for name in REFUSED]
SIGNALS = ["FIOSETOWN", "SIOCSPGRP"]
TYPED = ["stdin", "copy", "dev-tty", "upper-half", "upper-bits", "thread"]
NEEDED = ["TCGETS", "TCSETS", "TIOCGWINSZ", "FIONREAD", "TIOCGPGRP", "TIOCSPGRP"]

number = 0


def ok(passed, name, *why):
    global number
    number += 1
    print(f"{'ok' if passed else 'not ok'} {number} - {name}")
    for line in why if not passed else ():
        print("#", repr(line)[:2000])


def skip(name, why):
    global number
    number += 1
    print(f"ok {number} - {name} # SKIP {why}")


class Terminal:
    """An interactive shell, leader of a session with a terminal of its own."""

    def __init__(self, *shell):
        self.text = ""
        self.marks = 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            env = {**os.environ, "PS1": "", "PS2": "", "TERM": "dumb", "HISTFILE": "", "LC_ALL": "C"}
            os.execvpe(shell[0], shell, env)

    def write(self, text):
        os.write(self.fd, text.encode())

    def wait(self, pattern, seconds=DEADLINE):
        """Until this is on the screen, which is then forgotten up to there. False: it did not come."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                return False
            try:
                self.text += os.read(self.fd, 65536).decode(errors="replace")
            except OSError:
                return False
        self.text = self.text[found.end():]
        return True

    def ask(self, line, pattern):
        """The same, with a line that is written again as long as nobody reads it."""
        for _ in range(20):
            self.write(line)
            if self.wait(pattern, DEADLINE / 20):
                return True
        return False

    def mark(self):
        """Until the shell has executed all that stands in its input."""
        self.marks += 1
        # a shell that is interrupted forgets a line that it has begun to read
        return self.ask(f"echo mark-$((1000 + {self.marks}))\n", f"mark-{1000 + self.marks}")

    def run(self, command):
        """A command in the foreground, and then whatever it typed."""
        self.marks += 1
        self.write(f"{command}; echo end-$((2000 + {self.marks})) $?\n")
        return self.wait(f"end-{2000 + self.marks}") and self.mark()

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def answers(name):
    try:
        with open(os.path.join(DIR, name), encoding="ascii") as f:
            return dict(line.rstrip("\n").split(": ") for line in f)
    except FileNotFoundError:
        return {}


def attack(name, descriptor, way=None):
    """Run the typist in QEMU's place; without a descriptor by itself. What it says, and what the shell executed."""
    typed = os.path.join(DIR, f"typed-{name}")
    out = os.path.join(DIR, f"out-{name}")
    os.mkdir(typed)
    os.close(os.open(out, os.O_CREAT | os.O_WRONLY))
    for path in (typed, out):
        os.chmod(path, 0o777)
    words = f"TYPIST_OUT={out} TYPIST_DIR={typed} " + (f"TYPIST_WAY={way} " if way else "")
    if descriptor is None:
        words += TYPIST
    else:
        path = os.path.join(DIR, f"desc-{name}.json")
        with open(path, "w", encoding="ascii") as f:
            json.dump({"version": 1, "qemu": TYPIST, **descriptor}, f)
        words += f"{PROGRAM} --descriptor={path}"
    terminal = Terminal("/bin/sh", "-i")
    ended = terminal.run(words)
    text = terminal.text
    terminal.close()
    if not ended:
        ok(False, f"{name}: the launch ends", text)
    return answers(f"out-{name}"), sorted(os.listdir(typed))


def protected(name, descriptor, filters):
    said, executed = attack(name, descriptor)
    wrong = {k: said.get(k) for k in REFUSED + SIGNALS + TYPED if said.get(k) != "EPERM"}
    ok(executed == [] and wrong == {}, f"{name}: nothing is typed, requests are refused", executed, wrong)
    wrong = {k: said.get(k) for k in NEEDED if said.get(k) != "done"}
    ok(wrong == {}, f"{name}: the terminal can be used", wrong)
    if "filters" in said:
        ok(said["filters"] == str(filters), f"{name}: programs: {filters}", said["filters"])


def unprotected(name, descriptor, filters):
    """The control: the same typist, without the layer."""
    said, executed = attack(name, descriptor)
    wrong = {k: said.get(k) for k in REFUSED + SIGNALS if said.get(k) in (None, "EPERM")}
    ok(executed == sorted(TYPED) and wrong == {}, f"{name}: the shell executes what was typed", executed, said)
    if "filters" in said:
        ok(said["filters"] == str(filters), f"{name}: programs: {filters}", said["filters"])
    return executed == sorted(TYPED)


def foreign(way, name, descriptor):
    """The calls of another architecture, which have numbers of their own."""
    said, _ = attack(f"{way}-{name}-plain", None, way)
    if said.get(way) != "done":
        skip(f"{way}, {name}: the process is killed", f"this kernel has no {way} calls")
        return
    said, _ = attack(f"{way}-{name}", descriptor, way)
    ok(said == {}, f"{way}, {name}: the process is killed", said)


def loaded(descriptor, terminal, *words, errors=subprocess.PIPE):
    """What the plan says: of the terminal, and how many programs."""
    command = [*words, PROGRAM, "--plan=json"]
    ends = pty.openpty() if terminal else ()
    # the leader of a session gets the terminal that it opens first
    take = (lambda: os.close(os.open(os.ttyname(ends[1]), os.O_RDWR))) if terminal else None
    done = subprocess.run(command, input=json.dumps({"version": 1, **descriptor}).encode(), stdout=subprocess.PIPE,
                          stderr=errors, timeout=DEADLINE, check=False, start_new_session=True, preexec_fn=take)
    for end in ends:
        os.close(end)
    plan = json.loads(done.stdout or "{}")
    return plan.get("terminal"), plan.get("filters"), plan.get("no_new_privs")


def plans():
    other = {"user": 65534, "group": 65534}
    rows = [
        ("by default", {}, "protected", 1, True),
        ("action log", {"seccomp": {"action": "log"}}, "protected", 1, True),
        ("no filter, but Landlock", {"seccomp": "none", "landlock": True}, "protected", 1, True),
        ("asked for no protection", {"protect_terminal": False}, "open", 1, True),
        ("nothing is taken away", {"seccomp": "none", "capabilities": "keep"}, "open", 0, False),
    ]
    if ROOT:
        rows.append(("no filter, but other ids", {"seccomp": "none", **other}, "protected", 1, True))
        rows.append(("no filter, but fewer capabilities", {"seccomp": "none"}, "protected", 1, False))
    for name, descriptor, terminal, filters, privs in rows:
        got = loaded({"qemu": "/bin/true", **descriptor}, True)
        ok(got == (terminal, filters, privs), f"plan on a terminal, {name}", got)
        got = loaded({"qemu": "/bin/true", **descriptor}, False)
        ok(got[:2] == ("none", 0 if descriptor.get("seccomp") == "none" else 1), f"  without a terminal, {name}", got)
    master, slave = pty.openpty()
    got = loaded({"qemu": "/bin/true"}, False, errors=slave)
    ok(got[:2] == ("protected", 1), "standard error is a terminal, but not the controlling one", got)
    os.close(master)
    os.close(slave)
    if subprocess.run(["strace", "-o", "/dev/null", "true"], check=False, capture_output=True).returncode == 0:
        got = loaded({"qemu": "/bin/true"}, False, "strace", "-qq", "-o", "/dev/null", "-P", "/proc/self/stat",
                     "-e", "inject=openat:error=EACCES")
        ok(got[:2] == ("protected", 1), "it cannot be known whether there is a terminal", got)
    else:
        skip("it cannot be known whether there is a terminal", "strace does not work here")


def attacks():
    with open(os.path.join(DIR, "own.policy"), "w", encoding="ascii") as f:
        f.write("default allow\n")
    bpf = os.path.join(DIR, "own.bpf")
    subprocess.run([TOOL, "-o", bpf, f.name], check=True)
    if not unprotected("no-launcher", None, 0):
        skip("what a launch refuses", "nothing can be typed here (dev.tty.legacy_tiocsti)")
        return
    unprotected("protect-false", {"protect_terminal": False, "seccomp": "none"}, 0)
    protected("by-default", {}, 1)
    protected("kill", {"seccomp": {"action": "kill"}}, 1)
    protected("log", {"seccomp": {"action": "log"}}, 1)
    protected("own-program", {"seccomp": {"bpf": bpf}}, 2)
    protected("landlock-only", {"seccomp": "none", "landlock": True}, 1)
    if ROOT:
        protected("other-user", {"user": 65534, "group": 65534}, 1)
        protected("other-user-without-filter", {"user": 65534, "group": 65534, "seccomp": "none"}, 1)
        protected("fewer-capabilities", {"seccomp": "none"}, 1)
        protected("all-capabilities", {"capabilities": "keep"}, 1)
    for way in ("x32", "i386"):
        foreign(way, "by-default", {})
        foreign(way, "landlock-only", {"seccomp": "none", "landlock": True})


def job_control():
    """A real QEMU with its monitor on the terminal, under a shell with job control."""
    path = os.path.join(DIR, "job.json")
    with open(path, "w", encoding="ascii") as f:
        json.dump({"version": 1, "qemu": QEMU, "seccomp": {"action": "kill"}}, f)
    command = f"{PROGRAM} --descriptor={path} -accel tcg -M none -nodefaults -display none -S"
    terminal = Terminal("/bin/sh", "-i")
    terminal.write(f"set -m; {command} -monitor stdio\n")
    ok(terminal.wait(r"\(qemu\) "), "the monitor is on the terminal", terminal.text)
    terminal.write("info status\n")
    ok(terminal.wait(r"VM status: \S+"), "  and answers", terminal.text)
    terminal.write("\x1a")
    ok(terminal.wait("Stopped"), "Ctrl-Z stops QEMU, and the shell goes on", terminal.text)
    ok(terminal.mark(), "  and takes commands", terminal.text)
    terminal.write("fg\n")
    ok(terminal.ask("info status\n", r"VM status: \S+"), "fg continues it, and the monitor answers", terminal.text)
    terminal.write("\x03")
    ok(terminal.wait("terminating on signal 2"), "Ctrl-C ends it", terminal.text)
    ok(terminal.mark(), "  and the shell takes commands", terminal.text)
    monitor = os.path.join(DIR, "monitor")
    terminal.write(f"{command} -qmp unix:{monitor},server=on &\n")
    ok(terminal.wait("waiting for connection"), "in the background", terminal.text)
    terminal.write("\x03")
    ok(terminal.mark(), "  Ctrl-C is the shell's", terminal.text)
    terminal.write("kill -0 %1 && echo lives-$((40 + 2))\n")
    ok(terminal.wait("lives-42"), "  QEMU goes on", terminal.text)
    terminal.write("kill %1; wait %1; echo ended-$((40 + 3))\n")
    ok(terminal.wait("ended-43"), "  and ends by kill", terminal.text)
    terminal.close()


plans()
attacks()
if QEMU == "-":
    skip("job control", "no QEMU")
else:
    job_control()
print(f"1..{number}")
