#!/usr/bin/env python3
"""byhand REPORT LINK...: execute the words of a report, with descriptors 3, 4, ... that are queues of these links

'-' leaves a number closed. byhand - LINK...: hold the queues and wait.
"""
import fcntl
import json
import os
import signal
import struct
import sys

IFF_TAP, IFF_NO_PI, IFF_MULTI_QUEUE, IFF_VNET_HDR, TUNSETIFF = 2, 0x1000, 0x100, 0x4000, 0x400454CA

report, links = sys.argv[1], sys.argv[2:]
for want, link in enumerate(links, 3):
    if link == "-":
        continue
    fd = os.open("/dev/net/tun", os.O_RDWR)
    flags = IFF_TAP | IFF_NO_PI | IFF_MULTI_QUEUE | IFF_VNET_HDR
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", link.encode(), flags))
    if fd != want:
        os.dup2(fd, want)
        os.close(fd)
    os.set_inheritable(want, True)
if report == "-":
    print("holding", flush=True)
    signal.pause()
with open(report, encoding="utf-8") as f:
    plan = json.load(f)
os.execv(plan["qemu"], plan["argv"])
