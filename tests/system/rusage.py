# SPDX-License-Identifier: MIT
# usage: rusage.py FILE COMMAND...: runs COMMAND, writes the CPU seconds that it and this process took to FILE (JSON).
import json, resource, subprocess, sys

status = subprocess.call(sys.argv[2:])
took = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
with open(sys.argv[1], "w") as file:
    json.dump({"cpu": sum(u.ru_utime + u.ru_stime for u in took)}, file)
sys.exit(status)
