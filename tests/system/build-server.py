#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A toy build server: forks a busy job for each line that comes over a unix socket, and answers when it has
ended. `build-server.py serve SOCKET`, `build-server.py ask SOCKET COUNT SECONDS` (prints the CPU seconds used so far)
or `build-server.py quit SOCKET`."""
import resource
import socket
import subprocess
import sys

BUSY = """
import sys, time
while time.process_time() < float(sys.argv[1]):
    pass
"""


def serve(path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        while True:
            link, _ = listener.accept()
            with link, link.makefile("rw") as lines:
                for line in lines:
                    if line.strip() == "quit":
                        return
                    if line.strip() == "used":
                        used = resource.getrusage(resource.RUSAGE_CHILDREN)
                        print(used.ru_utime + used.ru_stime, file=lines, flush=True)
                        continue
                    subprocess.run([sys.executable, "-c", BUSY, line.strip()], check=True)
                    print("done", file=lines, flush=True)


def ask(path, count, seconds):
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(path)
        with link.makefile("rw") as lines:
            for _ in range(int(count)):
                print(seconds, file=lines, flush=True)
                lines.readline()
            print("used", file=lines, flush=True)
            print(lines.readline().strip())


if sys.argv[1] == "serve":
    serve(sys.argv[2])
elif sys.argv[1] == "ask":
    ask(*sys.argv[2:])
else:
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(sys.argv[2])
        server.sendall(b"quit\n")
