# qmp.py - one or more commands of QMP: qmp.py SOCKET [COMMAND [ARGUMENTS]]...; prints each answer
#
# "wait EVENT": until that event has come, at most 20 seconds.
import json
import socket
import sys

s = socket.socket(socket.AF_UNIX)
s.settimeout(20)
s.connect(sys.argv[1])
f = s.makefile("rb")
f.readline()
seen = []


def run(command, arguments=None):
    request = {"execute": command}
    if arguments:
        request["arguments"] = json.loads(arguments)
    s.sendall(json.dumps(request).encode() + b"\n")
    while True:
        answer = json.loads(f.readline())
        if "event" not in answer:
            return answer
        seen.append(answer["event"])


run("qmp_capabilities")
words = sys.argv[2:]
while words:
    command, arguments, words = words[0], words[1] if len(words) > 1 else "", words[2:]
    if command == "wait":
        while arguments not in seen:
            seen.append(json.loads(f.readline()).get("event"))
        continue
    answer = run(command, arguments)
    print(json.dumps(answer.get("return", answer), sort_keys=True))
