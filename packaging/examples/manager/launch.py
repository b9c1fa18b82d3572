#!/usr/bin/python3
"""launch.py DESCRIPTOR [QEMU-ARGUMENT]... - start a guest as a manager would, and say what it got"""
import json
import os
import subprocess
import sys
import tempfile


def launch(descriptor, arguments):
    """The process, which is QEMU now, and the report of what it was given. RuntimeError: not started."""
    report, write = os.pipe()
    log = tempfile.TemporaryFile("w+")  # a pipe would fill up, or kill QEMU when nobody reads it any more
    command = [os.environ.get("QEMU_HANDOFF", "qemu-handoff"), "--errors=json", "--", *arguments]
    qemu = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log, pass_fds=[write], text=True)
    os.close(write)
    qemu.stdin.write(json.dumps(dict(descriptor, report={"fd": write}, stdin="null")))
    qemu.stdin.close()
    with os.fdopen(report) as lines:
        objects = lines.read().splitlines()  # ends when QEMU was executed, or will not be
    if len(objects) == 1:  # a second one takes the report back
        return qemu, json.loads(objects[0])
    status = qemu.wait()
    log.seek(0)
    problems = [json.loads(line) for line in log if line.startswith('{"level":"error"')]
    advice = {100: "a wrong descriptor", 101: "the host must be changed", 111: "try again"}
    raise RuntimeError(f"status {status}, {advice.get(status, 'no QEMU')}: "
                       + "; ".join(f"{p['code']} at {p['path']}: {p['message']}" for p in problems))


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        wanted = json.load(file)
    try:
        guest, got = launch(wanted, sys.argv[2:])
    except RuntimeError as error:
        sys.exit(f"launch.py: not started: {error}")
    for nic in got["nics"]:
        print(nic["id"], nic["mode"], nic["queues"], "vhost" if nic["vhost"] else "no vhost", flush=True)
    sys.exit(guest.wait())
