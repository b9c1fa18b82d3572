# qmpproxy.py - between a client of QMP and QEMU, or in QEMU's place
#
#   qmpproxy.py LISTEN MODE [QEMU-SOCKET]
#
# MODE fail=COMMAND or fail=COMMAND:N: the Nth such command (1) is answered by an error and does not
# reach QEMU; close=COMMAND: the connection ends there, hold=COMMAND: no answer comes. Without
# QEMU-SOCKET a mode says what the peer is: silent, line, deep, text, other, end, flood.
import array
import json
import os
import socket
import sys
import threading

listen, mode = sys.argv[1:3]
server = socket.socket(socket.AF_UNIX)
server.bind(listen)
server.listen(1)
print("ready", flush=True)
client, _ = server.accept()

GREETING = b'{"QMP":{"version":{"qemu":{"micro":0,"minor":2,"major":7},"package":""},"capabilities":[]}}\r\n'


def hostile():
    if mode == "line":
        client.sendall(b'{"QMP":"')
        for _ in range(100):
            client.sendall(b"x" * 1000000)
    elif mode == "deep":
        client.sendall(b'{"a":' * 100000 + b"1" + b"}" * 100000)
    elif mode == "text":
        client.sendall(b"220 mail.example ESMTP\r\n")
    elif mode == "other":
        client.sendall(b'{"hello":1}\r\n')
    elif mode == "end":
        client.sendall(GREETING)
        client.recv(10)
        client.sendall(b'{"return"')
        return
    elif mode == "flood":
        client.sendall(GREETING)
        while True:
            client.sendall(b'{"event":"X"}\r\n' * 100)
    while client.recv(65536):  # until the client gives up
        pass


def answers(qemu):
    while True:
        data = qemu.recv(65536)
        if not data:
            return
        client.sendall(data)


def proxy():
    how, _, what = mode.partition("=")
    command, _, nth = what.partition(":")
    left = int(nth or 1)
    qemu = socket.socket(socket.AF_UNIX)
    qemu.connect(sys.argv[3])
    threading.Thread(target=answers, args=(qemu,), daemon=True).start()
    while True:
        data, ancillary, _, _ = client.recvmsg(1 << 20, socket.CMSG_SPACE(40))
        if not data:
            return
        fds = array.array("i")
        for _, _, part in ancillary:
            fds.frombytes(part)
        request = json.loads(data)
        hit = request["execute"] == command
        left -= hit
        if hit and left == 0 and how == "fail":
            error = {"error": {"class": "GenericError", "desc": "injected"}, "id": request["id"]}
            client.sendall(json.dumps(error).encode() + b"\r\n")
        elif hit and left == 0 and how in ("close", "hold"):
            while how == "hold" and client.recv(65536):
                pass
            return
        else:
            socket.send_fds(qemu, [data], list(fds))
        for fd in fds:
            os.close(fd)


try:
    proxy() if "=" in mode else hostile()
except (BrokenPipeError, ConnectionResetError):
    pass
