# SPDX-License-Identifier: MIT
"""check-summary.py FILE [EXPRESSION...]: is this a summary document, and does each expression about it (d) hold?"""
import json
import re
import sys

NUMBER, COUNT, BYTES, TEXT, TIME, FLAG = "number count bytes text time flag".split()
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")


def is_kind(value, kind):
    if kind == FLAG:
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if kind == NUMBER:
        return isinstance(value, (int, float)) and value >= 0
    if kind == COUNT:
        return isinstance(value, int) and value >= 0
    if kind == BYTES:
        return value is None or (isinstance(value, int) and value >= 0)
    if kind == TIME:
        return isinstance(value, str) and UTC.fullmatch(value) is not None
    return isinstance(value, str)


# path: kind; a path that ends with '?' may be missing; [] goes through a list
FIELDS = """
schema text|schema_version count|id text|tool.name text|tool.version text|host.name text|host.kernel? text
host.cpus? count|host.memory_total_bytes? bytes|host.boot_id? text|start_time time|end_time time|complete flag
wall_seconds number|cpu.user_seconds number|cpu.system_seconds number|processes.started count|processes.peak count
memory.rss_peak_bytes? bytes|memory.page_cache_peak_bytes? bytes|memory.dirty_peak_bytes? bytes
memory.writeback_peak_bytes? bytes|memory.swap_peak_bytes? bytes|tmpfs[].mount text|tmpfs[].peak_bytes bytes
tmpfs[].size_bytes? bytes|tmpfs[].peak_inodes? count|stalls.stalled_seconds number|stalls.flush_seconds number
stalls.by_cause[].cause text|stalls.by_cause[].seconds number|stalls.by_cause[].episodes count
stalls.episodes[].start_time time|stalls.episodes[].duration_seconds number|stalls.episodes[].cause text
commands[].name text|commands[].count count|commands[].cpu_seconds number|monitor.samples count
monitor.sample_interval_seconds number|verdict text|verdict_text text
"""


def values(document, path):
    """All values at a path, or KeyError."""
    found = [document]
    for part in path.split("."):
        key, through = part.removesuffix("[]"), part.endswith("[]")
        found = [value[key] for value in found]
        if through:
            found = [item for value in found for item in value]
    return found


def check(document):
    for field in re.split(r"[|\n]", FIELDS.strip()):
        path, kind = field.split()
        try:
            found = values(document, path.rstrip("?"))
        except KeyError:
            if not path.endswith("?"):
                yield f"{path} is missing"
            continue
        for value in found:
            if not is_kind(value, kind):
                yield f"{path} is {value!r}, not a {kind}"
    if document["schema"] != "buildtop.summary" or document["schema_version"] != 1:
        yield "not a buildtop.summary of version 1"
    if not re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", document["id"]):
        yield "the id is no UUID of version 7"
    if not all(is_kind(seconds, NUMBER) for seconds in document["time_seconds"].values()):
        yield "time_seconds holds something that is no time"
    for name, status in document["sources"].items():
        if not re.match(r"(yes$|partly: |no: )", status):
            yield f"the source {name} is {status!r}"
    exit_ = document["exit"]
    if (exit_["status"] is None) == (exit_["signal"] is None) and exit_["outcome"] != "unknown":
        yield f"exit is {exit_!r}"


def main():
    def refuse(constant):
        raise ValueError(f"{constant} is no JSON")

    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file, parse_constant=refuse)
    wrong = list(check(document))
    wrong += [text for text in sys.argv[2:] if not eval(text, {"json": json}, {"d": document})]
    for text in wrong:
        print("wrong:", text)
    return 1 if wrong else 0


sys.exit(main())
