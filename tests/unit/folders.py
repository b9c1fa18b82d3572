#!/usr/bin/env python3
"""folders - a folder of src is a rule: which folder uses which, and what of the C library it calls

Symbols are read from the objects (nm), headers from the sources. Edges go downwards only:

    main, ctl > launch > act > look > plan > mode > facts > desc > seccomp > base
    sys, thin wrappers of system calls, stands beside plan: act, look, launch and main use it

A deliberate breach of each rule is compiled and must be reported. What breaks a rule today is listed with its
reason in folders.exceptions; a line there that no longer holds is an error too.
"""
import os
import re
import subprocess
import sys
import tempfile

SRC = os.path.join(os.environ["SRCDIR"], "src")
OBJ = os.path.join(os.environ["BUILDDIR"], "src")
EXCEPTIONS = os.path.join(os.environ["SRCDIR"], "tests", "unit", "folders.exceptions")

# Memory, text and numbers: what a function may call that makes no system call of its own.
PURE = """abort bcmp calloc free longjmp malloc memchr memcmp memcpy memmem memmove memset strcasecmp strchr strcmp strcspn
strlen strncasecmp strncmp strnlen strrchr strspn strstr strtok_r strtol strtoul strtoull vsnprintf snprintf sscanf __isoc99_sscanf __isoc23_sscanf strerrordesc_np
strerrorname_np __assert_fail __errno_location""".split()
# Reading without an open: names, attributes, identities, limits.
LOOK = PURE + """access close clock_gettime closedir faccessat fdopendir fstat getauxval getegid geteuid getgrnam
getgroups getpid getppid getpwnam getpwuid getresgid getresuid getrlimit getsockname getsockopt getxattr if_nametoindex isatty lseek
lstat poll prctl pread read readdir readlink realpath recv stat statfs uname""".split()

BELOW = {
    "base": [],
    "seccomp": ["base"],
    "desc": ["seccomp", "base"],
    "facts": ["desc", "seccomp", "base"],
    "mode": ["facts", "desc", "seccomp", "base"],
    "plan": ["mode", "facts", "desc", "seccomp", "base"],
    "sys": ["base"],
    "look": ["sys", "plan", "mode", "facts", "desc", "seccomp", "base"],
    "act": ["sys", "facts", "desc", "seccomp", "base"],
    "launch": ["act", "look", "sys", "plan", "mode", "facts", "desc", "seccomp", "base"],
    "ctl": ["launch", "act", "look", "sys", "plan", "mode", "facts", "desc", "seccomp", "base"],
    "main": ["launch", "act", "look", "sys", "plan", "mode", "facts", "desc", "seccomp", "base"],
}
# Act carries out a plan, so it reads the plan's types, but calls none of its functions.
TYPES_ONLY = {"act": ["plan"]}
LIBC = {"base": PURE, "desc": PURE, "facts": PURE, "mode": PURE, "plan": PURE, "look": LOOK}
LIBRARIES = {"desc": ["cJSON_"], "plan": ["cJSON_"], "look": ["mnl_"], "ctl": ["cJSON_"]}
# Calls that only these units make, with what would follow elsewhere.
ONLY = {
    "getenv": ("main", "ctl/main", "launch"),  # the environment would be read where nobody looks for it
    "secure_getenv": ("main", "ctl/main", "launch"),
    "dup3": ("act/place", "act/keeper"),  # a number would be inheritable before everything is open
    "dup2": ("act/stdio", "act/keeper", "sys/child"),  # standard input, and what a child is given
    "exit": ("main", "ctl/main"),
}
# What is in seccomp for the launcher; the rest is the policy compiler and its tool, which are other programs.
SECCOMP = ["filter", "interp", "emptypath"]

NOISE = re.compile(r"__(asan|odr_asan|ubsan|lsan|sanitizer|gcov|llvm|stack_chk_fail)|___asan|_GLOBAL_OFFSET_TABLE_|mangle_path$")


def plain(symbol):
    """The function itself: without version, fortified and renamed forms."""
    symbol = symbol.split("@")[0]
    symbol = re.sub(r"^__isoc23_", "", symbol)
    symbol = re.sub(r"^__(.*)_chk$", r"\1", symbol)
    return re.sub(r"^(open|openat|creat|stat|fstat|lstat|statfs|lseek|pread|readdir|fopen|getrlimit)64$", r"\1", symbol)


class Unit:
    """One .c with its .h: what it defines, imports and includes."""

    def __init__(self, name, folder, obj, sources):
        self.name, self.folder, self.obj = name, folder, obj
        self.defines, self.imports, self.includes, self.globals = set(), set(), set(), set()
        for source in sources:
            with open(source, encoding="utf-8") as f:
                self.includes.update(re.findall(r'^\s*#\s*include\s+"(\S+)"', f.read(), re.M))
        if obj:
            self.read_object()

    def read_object(self):
        out = subprocess.run(["nm", "-f", "sysv", self.obj], check=True, capture_output=True, text=True).stdout
        for line in out.splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) != 7 or cells[0] == "Name":
                continue
            symbol, kind, section = cells[0], cells[2], cells[6]
            if NOISE.match(symbol):
                continue
            if kind in "Uwv":
                self.imports.add(plain(symbol))
            elif kind.isupper():
                self.defines.add(symbol)
            if (section == "*COM*" or re.match(r"\.t?(data|bss)(?!\.rel\.ro)", section)) and not symbol.startswith("."):
                self.globals.add(re.sub(r"\.\d+$", "", symbol))

    def instrumented(self):
        """Sanitizers and gcov add data of their own to each object."""
        out = subprocess.run(["nm", self.obj], check=True, capture_output=True, text=True).stdout
        return re.search(r"__(asan|ubsan|gcov|llvm)", out) is not None


def folder_of(path):
    """src/main.c and src/launch.c are folders of their own."""
    head, tail = os.path.split(path)
    return head or os.path.splitext(tail)[0]


def units_of_the_tree():
    units, problems = [], []
    for folder in [""] + sorted(os.listdir(SRC)):
        path = os.path.join(SRC, folder)
        if not os.path.isdir(path) or folder not in ("", *BELOW):
            continue
        stems = sorted({os.path.splitext(n)[0] for n in os.listdir(path) if re.search(r"\.(c|h|def)$", n)})
        for stem in stems:
            if folder == "seccomp" and stem not in SECCOMP:
                continue
            name = os.path.join(folder, stem)
            sources = [os.path.join(SRC, name + e) for e in (".c", ".h", ".def") if os.path.exists(os.path.join(SRC, name + e))]
            obj = os.path.join(OBJ, name + ".o") if os.path.exists(os.path.join(SRC, name + ".c")) else None
            if obj and not os.path.exists(obj):
                problems.append(("object", name, "missing", f"{obj}: no such object"))
                obj = None
            units.append(Unit(name, folder_of(name), obj, sources))
    return units, problems


def edges(units):
    """For each unit, the units that it uses, and by what."""
    owner = {symbol: unit for unit in units for symbol in unit.defines}
    by_name = {unit.name: unit for unit in units}
    for unit in units:
        for symbol in sorted(unit.imports):
            if symbol in owner and owner[symbol] is not unit:
                yield unit, owner[symbol], symbol
        for header in sorted(unit.includes):
            other = by_name.get(os.path.splitext(header)[0])
            if other and other is not unit:
                yield unit, other, f'"{header}"'


def downwards(units):
    for unit, other, by in edges(units):
        allowed = [unit.folder] + BELOW[unit.folder]
        if by.startswith('"'):
            allowed = allowed + TYPES_ONLY.get(unit.folder, [])
        if other.folder not in allowed:
            yield "edge", unit.name, by, f"{unit.name} uses {by} of {other.name}: {unit.folder} uses nothing of {other.folder}"


def calls(units):
    ours = {symbol for unit in units for symbol in unit.defines}
    for unit in units:
        if unit.folder not in LIBC:
            continue
        for symbol in sorted(unit.imports - ours - set(LIBC[unit.folder])):
            if not symbol.startswith(tuple(LIBRARIES.get(unit.folder, ["\0"]))):
                yield "call", unit.name, symbol, f"{unit.name}.o imports {symbol}: not among the calls of {unit.folder}"


def only(units):
    for unit in units:
        for symbol in sorted(unit.imports & set(ONLY)):
            if unit.name not in ONLY[symbol]:
                yield "only", unit.name, symbol, f"{unit.name}.o imports {symbol}: that is for {' and '.join(ONLY[symbol])}"


def circles(units):
    """Strongly connected units, by symbols and headers together (Tarjan)."""
    graph = {unit.name: set() for unit in units}
    for unit, other, _ in edges(units):
        graph[unit.name].add(other.name)
    index, low, stack, out = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                out.append(sorted(part))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    for part in sorted(out):
        why = [f"{unit.name} uses {by} of {other.name}" for unit, other, by in edges(units)
               if unit.name in part and other.name in part]
        folders = sorted({folder_of(name) for name in part})
        yield "circle", ",".join(folders), "*", "\n".join([" ".join(part) + " use each other"] + why[:20])


def mutable(units):
    for unit in units:
        for symbol in sorted(unit.globals if unit.obj and not unit.instrumented() else []):
            yield "global", unit.name, symbol, f"{unit.name}.o has the mutable global {symbol}"


RULES = [("edges go downwards only", downwards), ("calls of the C library", calls), ("no circle", circles),
         ("no mutable global", mutable),
         ("calls that are made in one place", only)]

# rule, name of the unit, its C text, words of the report; @folder@ is a function of that folder
BREACHES = [
    (calls, "mode/breach", "int open(const char *, int, ...); int f(void) { return open(\"\", 0); }", "imports open"),
    (calls, "plan/breach", "long syscall(long, ...); long f(void) { return syscall(1); }", "imports syscall"),
    (calls, "base/breach", "char *getenv(const char *); char *f(void) { return getenv(\"\"); }", "imports getenv"),
    (calls, "look/breach", "int open(const char *, int, ...); int f(void) { return open(\"\", 0); }", "imports open"),
    (calls, "look/breach", "int ioctl(int, unsigned long, ...); int f(void) { return ioctl(0, 0); }", "imports ioctl"),
    (calls, "look/breach", "int unlink(const char *); int f(void) { return unlink(\"\"); }", "imports unlink"),
    (only, "act/breach", "char *getenv(const char *); char *f(void) { return getenv(\"\"); }", "imports getenv"),
    (only, "act/breach", "int dup3(int, int, int); int f(void) { return dup3(0, 3, 0); }", "imports dup3"),
    (downwards, "base/breach", "void @plan@(void); void f(void) { @plan@(); }", "base uses nothing of plan"),
    (downwards, "desc/breach", "void @mode@(void); void f(void) { @mode@(); }", "desc uses nothing of mode"),
    (downwards, "act/breach", "void @look@(void); void f(void) { @look@(); }", "act uses nothing of look"),
    (downwards, "act/breach", "void @plan@(void); void f(void) { @plan@(); }", "act uses nothing of plan"),
    (downwards, "sys/breach", "void @desc@(void); void f(void) { @desc@(); }", "sys uses nothing of desc"),
    (downwards, "look/breach", "void @act@(void); void f(void) { @act@(); }", "look uses nothing of act"),
    (downwards, "launch/breach", "void @ctl@(void); void f(void) { @ctl@(); }", "launch uses nothing of ctl"),
    (downwards, "plan/breach", "void @sys@(void); void f(void) { @sys@(); }", "plan uses nothing of sys"),
    (downwards, "desc/breach", '/*\n#include "plan/plan.h"\n*/', 'uses "plan/plan.h"'),
    (circles, "base/breach", '/*\n#include "base/round.h"\n*/', "base/breach base/round use each other"),
    (mutable, "base/breach", "static int count; int f(void); int f(void) { return ++count; }", "mutable global count"),
    (mutable, "base/breach", "int breach_level = 3;", "mutable global breach_level"),
]


def compiled(scratch, name, text, units):
    for folder in re.findall("@(.*?)@", text):
        symbols = sorted(s for u in units if u.folder == folder for s in u.defines if s.isidentifier())
        text = text.replace(f"@{folder}@", symbols[0] if symbols else "missing")
    source, obj = os.path.join(scratch, "breach.c"), os.path.join(scratch, "breach.o")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text + "\n")
    subprocess.run(os.environ.get("CC", "cc").split() + ["-w", "-c", source, "-o", obj], check=True)
    return Unit(name, folder_of(name), obj, [source])


def breach_is_seen(units, breach):
    rule, name, text, words = breach
    with tempfile.TemporaryDirectory() as scratch:
        added = [compiled(scratch, name, text, units)]
        if rule is circles:
            back = Unit("base/round", "base", None, [])
            back.includes = {"base/breach.h"}
            added.append(back)
        found = [message for _, _, _, message in rule(units + added)]
    seen = any(name.split("/")[1] in message and words in message for message in found)
    return seen, [] if seen else ["not reported: " + words]


def exceptions():
    ret = {}
    with open(EXCEPTIONS, encoding="utf-8") as f:
        for line in f:
            words = line.split("#")[0].split()
            if words:
                ret[tuple(words)] = line.strip()
    return ret


def result(number, good, name, why):
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for line in why:
        print("# " + line.replace("\n", "\n#   "))


def main():
    units, missing = units_of_the_tree()
    known, n, used = exceptions(), 0, set()
    print(f"1..{len(RULES) + len(BREACHES) + 2}")
    n += 1
    result(n, units and not missing, "every source has its object", [m[3] for m in missing])
    for name, rule in RULES:
        n += 1
        found = [p for p in rule(units)]
        used.update(p[:3] for p in found)
        new = [p[3] + f"\n(rule {' '.join(p[:3])})" for p in found if p[:3] not in known]
        result(n, not new, name, new)
    n += 1
    stale = [line for key, line in known.items() if key not in used]
    result(n, not stale, "every exception still holds", ["remove from folders.exceptions: " + line for line in stale])
    for breach in BREACHES:
        n += 1
        seen, why = breach_is_seen(units, breach)
        result(n, seen, f"a breach is reported: {breach[1]} {breach[3]}", why)
    return 0


if __name__ == "__main__":
    sys.exit(main())
