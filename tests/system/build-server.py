#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A toy build server: forks a busy job for each line that comes over a unix socket, and answers when it has
ended. `build-server.py serve SOCKET` or `build-server.py ask SOCKET COUNT SECONDS`."""
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
                        used = resource.getrusage(resource.RUSAGE_CHILDREN)
                        print(used.ru_utime + used.ru_stime, file=lines, flush=True)
                        return
                    subprocess.run([sys.executable, "-c", BUSY, line.strip()], check=True)
                    print("done", file=lines, flush=True)


def ask(path, count, seconds):
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(path)
        with link.makefile("rw") as lines:
            for _ in range(int(count)):
                print(seconds, file=lines, flush=True)
                lines.readline()
            print("quit", file=lines, flush=True)
            print(lines.readline().strip())


if sys.argv[1] == "serve":
    serve(sys.argv[2])
else:
    ask(*sys.argv[2:])
