"""injection.py - no value of a descriptor becomes an option, a property or a word of its own

Prints TAP. Arguments: qemu-handoff, QEMU or "-", and the seed of the random texts.
"""
import json
import random
import re
import subprocess
import sys

PROGRAM, QEMU, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3])
PLANS, LAUNCHES = 400, 25
random.seed(SEED)
print(f"# seed {SEED}")

HOSTILE = [
    ",", ",,", ",,,", "=", "", "on", "off", "help", "?", "-", "--", "-S", "-netdev", "x,id=net1", ",id=net1", ",,id=net1",
    "x,,,id=net1", "x,fd=3", "x,script=/bin/sh", "x,helper=/bin/sh", "x,netdev=net1", "x,vhost=on", "a b", " a", "a ",
    "a'b", 'a"b', "a\\", "a\\,b", "$(id)", "`id`", ";id", "|id", "&", "{}", '{"a":1}', "[", "*", "~", "%s%n", "../..",
    "/dev/null,x", "ä,ö", "\u202e", "a" * 200 + ",b", ",".join("ab"), "x\n", "x\t,y", "x\x00y", "x\x7f", "@file", "#",
]
ALPHABET = ",,,,==::\"'\\{}[]$;|&<>()*?~#%@!^-_./ abcxyzABC0189äß€"

number = 0


def ok(passed, name, *why):
    global number
    number += 1
    print(f"{'ok' if passed else 'not ok'} {number} - {name}")
    if not passed:
        for line in why:
            print("#", repr(line)[:600])


def text():
    return "".join(random.choice(ALPHABET) for _ in range(random.choice([0, 1, 2, 3, 8, 30])))


def items(value):
    """The key=value pairs of a QEMU option, as QEMU itself reads them (util/keyval.c, util/qemu-option.c)."""
    ret, item, i = [], "", 0
    while i < len(value):
        if value.startswith(",,", i):
            item += ","
            i += 2
        elif value[i] == ",":
            ret.append(item)
            item = ""
            i += 1
        else:
            item += value[i]
            i += 1
    return ret + [item]


def run(desc, *argv, after=""):
    return subprocess.run([PROGRAM, "--errors=json", *argv], input=json.dumps(desc) + "\n" + after, text=True,
                          capture_output=True, timeout=60, check=False)


def words(desc):
    """The command line of the plan without QEMU's own path, or None when the descriptor is refused."""
    done = run(desc, "--plan=json")
    if done.returncode != 0:
        return None if done.returncode in (100, 101, 126, 127) and not done.stdout else done
    # the address that a guest's name gives to a NIC without one
    return [re.sub(r"^(virtio-net-pci,netdev=net0),mac=[0-9a-f]{2}(:[0-9a-f]{2}){5}(?=,|$)", r"\1", word)
            for word in json.loads(done.stdout)["argv"][1:]]


def nic(**keys):
    return {"version": 1, "seccomp": "none", "qemu": "/bin/true", "nics": [{"mode": "user", **keys}]}


NETDEV, DEVICE = ["user", "id=net0"], ["virtio-net-pci", "netdev=net0"]


def refused_or(name, make, expected):
    """Each hostile value is refused, or stands in the command line as what it is."""
    bad = []
    for value in HOSTILE:
        got = words(make(value))
        if got is not None and (not isinstance(got, list) or expected(value, got) is not True):
            bad.append((value, got))
    ok(not bad, f"hostile values of {name}", *bad)


def plain(_, got):
    return len(got) == 4 and items(got[1]) == NETDEV and items(got[3]) == DEVICE


def literal(where, key):
    return lambda value, got: len(got) == 4 and items(got[1]) == NETDEV + ([f"{key}={value}"] if where == 1 else []) and \
        items(got[3]) == DEVICE + ([f"{key}={value}"] if where == 3 else [])


def top(key):
    return lambda value: {**nic(), key: value}


def any_word(value, got):
    return got == [value, "-netdev", "user,id=net0", "-device", "virtio-net-pci,netdev=net0"]


refused_or("args", lambda v: {**nic(), "args": [v]}, any_word)
refused_or("option hostname", lambda v: nic(options={"hostname": v}), literal(1, "hostname"))
refused_or("option hostfwd, a list", lambda v: nic(options={"hostfwd": [v]}), literal(1, "hostfwd"))
refused_or("property romfile", lambda v: nic(device={"romfile": v}), literal(3, "romfile"))
refused_or("the name of an option", lambda v: nic(options={v: "x"}),
           lambda v, got: v.isalnum() and items(got[1]) == NETDEV + [f"{v}=x"])
refused_or("the name of a property", lambda v: nic(device={v: "x"}),
           lambda v, got: v.isalnum() and items(got[3]) == DEVICE + [f"{v}=x"])
refused_or("driver", lambda v: nic(device={"driver": v}), lambda v, got: v.isalnum() and items(got[3]) == [v, "netdev=net0"])
refused_or("id", lambda v: nic(id=v), lambda v, got: v.isalnum() and items(got[1]) == ["user", f"id={v}"])
refused_or("mac", lambda v: nic(mac=v), plain)
refused_or("mode", lambda v: nic(mode=v), plain)
for key in ("name", "stdin", "report", "cgroup", "user", "group", "seccomp", "runtime_dir"):
    refused_or(key, top(key), plain)
refused_or("qemu", top("qemu"), plain)
for mode, key in (("tap", "ifname"), ("macvtap", "ifname"), ("bridge", "bridge"), ("bridge", "helper")):
    base = {"mode": mode, "vhost": False, "handoff": False} if mode != "macvtap" else {"mode": mode}
    if key == "helper":
        base["bridge"] = "br0"
    refused_or(f"{key} of {mode}", lambda v, k=key, b=base: {"version": 1, "seccomp": "none", "qemu": "/bin/true",
                                                             "nics": [{**b, k: v}]}, lambda v, got: False)
refused_or("netdev of custom", lambda v: nic(mode="custom", netdev="user,id=net0,hostname=" + v),
           lambda v, got: len(got) == 4 and got[1] == "user,id=net0,hostname=" + v and items(got[3]) == DEVICE)

# Random values, many keys at once.
bad = []
for _ in range(PLANS):
    options = {k: text() for k in random.sample(["hostname", "domainname", "bootfile", "tftp-server-name"], random.randint(0, 4))}
    hostfwd = [text() for _ in range(random.randint(0, 3))]
    device = {k: text() for k in random.sample(["romfile", "failover_pair_id", "x-y.z"], random.randint(0, 3))}
    args = [text() for _ in range(random.randint(0, 2))]
    got = words({**nic(options={**options, "hostfwd": hostfwd}, device=device), "args": args, "name": text() or "x"})
    want = [f"{k}={v}" for k, v in options.items()] + [f"hostfwd={v}" for v in hostfwd]
    if not isinstance(got, list) or got[:len(args)] != args or len(got) != len(args) + 4 or \
            [got[-4], got[-2]] != ["-netdev", "-device"] or items(got[-3]) != NETDEV + want or \
            items(got[-1]) != DEVICE + [f"{k}={v}" for k, v in device.items()]:
        bad.append((options, hostfwd, device, args, got))
ok(not bad, f"{PLANS} descriptors of random texts, seed {SEED}", *bad)

# The same, as the real QEMU understands it.
QMP = "".join(json.dumps(c) + "\n" for c in (
    {"execute": "qmp_capabilities"},
    {"execute": "qom-get", "arguments": {"path": "/machine/peripheral/dev0", "property": "failover_pair_id"}},
    {"execute": "human-monitor-command", "arguments": {"command-line": "info network"}},
    {"execute": "quit"}))
ARGV = "-accel tcg -machine q35 -m 32 -nodefaults -no-user-config -display none -S -qmp stdio".split()


def asked(value, hostname):
    """What QEMU says of a device with this value, and of its networks."""
    desc = {"version": 1, "qemu": QEMU, "nics": [{"mode": "user", "options": {"hostname": hostname},
                                                  "device": {"id": "dev0", "failover_pair_id": value}}]}
    done = run(desc, *ARGV, after=QMP)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    returns = [a["return"] for a in answers if "return" in a]
    said = [line for line in done.stderr.splitlines() if '"code":"qemu-root"' not in line]
    if done.returncode != 0 or said or len(returns) != 4:
        return done
    return returns[1], [line.strip(" \\").split(":")[0] for line in returns[2].split("\r\n") if line]


if QEMU == "-":
    number += 1
    print(f"ok {number} - what the real QEMU makes of them # SKIP needs QEMU")
else:
    bad = []
    values = [v for v in HOSTILE if not any(c < " " or c == "\x7f" for c in v)] + [text() for _ in range(LAUNCHES)]
    for value in values:
        got = asked(value, text())
        if got != (value, ["dev0", "net0"]):
            bad.append((value, got))
    ok(not bad, f"the real QEMU has one netdev and the literal value, {len(values)} times, seed {SEED}", *bad)
print(f"1..{number}")
