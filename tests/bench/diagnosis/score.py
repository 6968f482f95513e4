#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what buildtop said of a run against the truth, and adds up what several runs said.

score.py one NAME RATE TRUTH NDJSON   a line for the run, as JSON
score.py table < lines                the table, the sums, and how far the promises are kept
"""
import collections
import datetime
import json
import os
import sys
import time

CELL_NS = 10_000_000
WINDOW = 100  # cells: a second
FLUSH = ("dirty_throttle", "flush_wait")
READS_AGAIN = os.environ.get("READS_AGAIN")  # what is read had been in memory before
IO = FLUSH + ("read", "memory")
ACTIVE = ("cpu", "runqueue", "dirty_throttle", "flush_wait", "read", "memory", "blocked")  # the truth is never "blocked"


def cause_of(kind):
    return "flush_wait" if kind.startswith("flush") else kind


def read_truth(path, start_ns, end_ns):
    """Cells of the causes' threads; sums by kind; waiting time by cause and command."""
    cells = [collections.Counter() for _ in range((end_ns - start_ns) // CELL_NS + 1)]
    sums, victims = collections.Counter(), collections.Counter()
    for line in open(path, errors="replace"):
        words = line.split(None, 4)
        if words[0] == "lost":
            if words[1] != "0":
                print(f"{path}: {words[1]} events lost", file=sys.stderr)
            continue
        begin, end, kind = max(int(words[0]), start_ns), min(int(words[1]), end_ns), words[3]
        if kind == "read" and READS_AGAIN:
            kind = "memory"
        if end <= begin or kind == "other":
            continue
        sums[kind] += (end - begin) / 1e9
        cause = cause_of(kind)
        if kind == "flush_asked":
            apart = begin
            while apart < end:
                cell = (apart - start_ns) // CELL_NS
                until = min(end, start_ns + (cell + 1) * CELL_NS)
                cells[cell]["asked"] += (until - apart) / CELL_NS
                apart = until
        victims[cause, words[4].strip() if len(words) > 4 else ""] += (end - begin) / 1e9
        while begin < end:
            cell = (begin - start_ns) // CELL_NS
            until = min(end, start_ns + (cell + 1) * CELL_NS)
            cells[cell][cause] += (until - begin) / CELL_NS
            begin = until
    return cells, sums, victims


def share(times, group):
    active = sum(times.get(cause, 0) for cause in ACTIVE)
    return sum(times.get(cause, 0) for cause in group) / active if active > 1e-6 else 0


def stalls_of(cells, group, opened):
    """The rule, held against the truth: opened at a share of a second, closed under 10 %."""
    shares = [share(cell, group) for cell in cells]
    found, since, total = [], None, 0.0
    for i, part in enumerate(shares):
        total += part - (shares[i - WINDOW] if i >= WINDOW else 0)
        mean = total / WINDOW
        if since is None and mean >= opened:
            since = next(j for j in range(max(0, i - WINDOW + 1), i + 1) if shares[j] > 0)
        elif since is not None and mean < 0.10:
            found.append((since, max(j for j in range(since, i + 1) if shares[j] > 0)))
            since = None
    if since is not None:
        found.append((since, len(cells) - 1))
    return [(a * CELL_NS / 1e9, (b + 1) * CELL_NS / 1e9) for a, b in found]


def swapped(we, it, a, b):
    """Of two kinds of waiting, in threads: how much of the one was taken for the other."""
    more_a, more_b = we[a] - it[a], we[b] - it[b]
    return min(abs(more_a), abs(more_b)) if more_a * more_b < 0 else 0


def unmatched(some, others):
    return sum(not any(a < d and c < b for c, d in others) for a, b in some)


def one(name, rate, truth_path, ndjson_path):
    rows = [json.loads(line) for line in open(ndjson_path)]
    run = rows[0]
    ticks = [r for r in rows if r["type"] == "tick"]
    began = datetime.datetime.fromisoformat(run["start_time"].replace("Z", "+00:00")).timestamp()
    start_ns = int((began - (time.time() - time.monotonic())) * 1e9)
    end_ns = start_ns + int(ticks[-1]["elapsed_seconds"] * 1e9)
    cells, sums, victims = read_truth(truth_path, start_ns, end_ns)
    ours = collections.Counter()
    asked = 0.0
    # both, only ours, only the truth's
    flags = {"flush": [0, 0, 0], "read": [0, 0, 0], "io": [0, 0, 0], "clear": [0, 0, 0], "blocked": [0, 0, 0]}
    hidden = name.startswith(("hidden-", "psi-"))  # nothing but "blocked" can be said of it
    apart = [0.0, 0.0]  # task-seconds of throttling taken for waiting or the reverse, of asked for taken for implicit
    doubtful = []
    ended = max((i for i, cell in enumerate(cells) if cell), default=0) / WINDOW
    for tick in ticks:
        build = tick["build"]
        ours.update(build["time_seconds"])
        asked += build.get("flush_asked_seconds", 0)
        if tick["interval_seconds"] < 0.25:  # a scrap at the end is no second
            continue
        to = tick["elapsed_seconds"]
        if tick is ticks[-1] and to - tick["interval_seconds"] / 2 > ended:  # a watcher looks on for a while
            continue
        first, last = int((to - tick["interval_seconds"]) * 100), int(to * 100)
        true = sum(cells[first:last], collections.Counter())
        seconds = collections.Counter(build["time_seconds"], asked=build.get("flush_asked_seconds", 0))
        for which in (seconds, true):
            which["unasked"] = which["flush_wait"] - which["asked"]
        theirs = collections.Counter({kind: threads * CELL_NS / 1e9 for kind, threads in true.items()})
        apart[0] += swapped(seconds, theirs, "dirty_throttle", "flush_wait")
        apart[1] += swapped(seconds, theirs, "asked", "unasked")
        for kind, group in (("flush", FLUSH), ("read", ("read",)), ("io", FLUSH + ("read", "memory")), ("blocked", IO)):
            if hidden != (kind == "blocked"):
                continue
            we, it = share(build["time_seconds"], ("blocked",) if hidden else group) >= 0.25, share(true, group) >= 0.25
            if we or it:
                flags[kind][0 if we and it else 1 if we else 2] += 1
            if kind == "flush" and abs(share(true, group) - 0.25) > 0.05:
                flags["clear"] = [a + b for a, b in zip(flags["clear"], [we and it, we and not it, it and not we])]
            if kind in ("flush", "blocked") and we != it:
                doubtful.append(f"{to:.1f}s: {share(build['time_seconds'], ('blocked',) if hidden else group):.2f} of {share(true, group):.2f}")
    told = []
    for tick in ticks:
        told += tick.get("stalls_ended", [])
    if "stall" in ticks[-1]:
        told.append(ticks[-1]["stall"])
    stalls = {}
    for kind, group in (("flush", FLUSH), ("read", ("read",))):
        we = [(s["from_seconds"], s["from_seconds"] + s["duration_seconds"]) for s in told if s["cause"] in group]
        true = stalls_of(cells, group, 0.25)
        stalls[kind] = [0, 0, 0] if hidden else [len(true), unmatched(true, we), unmatched(we, true)]
    top = [max((v for v in victims.items() if v[0][0] in FLUSH), key=lambda v: v[1], default=((0, ""), 0))]
    said, wrote = collections.Counter(), collections.Counter()
    for stall in told:
        if stall["cause"] in FLUSH:
            for who in stall["writers"]:
                wrote[who["name"]] += who["bytes_estimated"]
            for victim in stall["victims"]:
                said[victim["name"]] += victim["task_seconds"]
    print(json.dumps({
        "name": name, "rate": rate, "wall": ticks[-1]["elapsed_seconds"],
        "truth": {"throttle": sums["dirty_throttle"], "asked": sums["flush_asked"],
                  "flush": sums["dirty_throttle"] + sums["flush"] + sums["flush_asked"],
                  "read": sums["read"], "memory": sums["memory"], "cpu": sums["cpu"] + sums["runqueue"]},
        "ours": {"throttle": ours["dirty_throttle"], "asked": asked,
                 "flush": ours["dirty_throttle"] + ours["flush_wait"], "read": ours["read"],
                 "memory": ours["memory"], "cpu": ours["cpu"] + ours["runqueue"]},
        "unseen": sum(t["build"]["unseen_seconds"] for t in ticks), "flags": flags, "stalls": stalls,
        "hidden": hidden, "apart": apart, "writer": [os.environ.get("WRITER", ""), wrote.most_common(1)[0][0] if wrote else ""],
        "victim": [top[0][0][1], said.most_common(1)[0][0] if said else ""],
        "outside": [s.get("outside_fraction", 0) for s in told if s["cause"] in FLUSH], "doubtful": doubtful}))


def part(a, b):
    return f"{a / b:.3f}" if b else "-"


def told_apart(runs):
    """Kinds of one cause, and who did what; the neighbour, where there is one."""
    flush = sum(r["truth"]["flush"] for r in runs)
    wait = flush - sum(r["truth"]["throttle"] for r in runs)
    if flush and wait:
        print(f"  told apart: throttling and waiting in {part(flush - sum(r['apart'][0] for r in runs), flush)} of the time, "
              f"asked for and not in {part(wait - sum(r['apart'][1] for r in runs), wait)}")
    held = [r for r in runs if r["truth"]["flush"] > 1 and r["victim"][1]]
    print(f"  who waited most: right in {sum(r['victim'][0] == r['victim'][1] for r in held)} of {len(held)}; "
          f"who wrote: right in {sum(r['writer'][0] == r['writer'][1] for r in held if r['writer'][0])} "
          f"of {sum(bool(r['writer'][0]) for r in held)}")
    beside = [r for r in runs if r["name"].startswith("neighbour")]
    if beside:
        print("  the neighbour named: " + ", ".join(f"{r['name']} {'yes' if r['outside'] and max(r['outside']) >= 0.75 else 'no'}" for r in beside))


def table():
    runs = [json.loads(line) for line in sys.stdin]
    for rate in sorted({r["rate"] for r in runs}, key=float):
        some = [r for r in runs if r["rate"] == rate]
        print(f"\n{rate} looks a second; seconds as buildtop said / as it was; stalls: true, missed, false")
        print(f"{'scenario':12} {'wall':>5} {'flush':>13} {'%':>6} {'throttled':>13} {'asked':>13} {'read':>13} "
              f"{'memory':>13} {'seconds':>11} {'flush st.':>9} {'read st.':>9}  waited most")
        for r in some:
            we, it = r["ours"], r["truth"]

            def pair(key):
                return f"{we[key]:6.2f}/{it[key]:6.2f}"
            off = f"{(we['flush'] - it['flush']) / it['flush'] * 100:+.1f}" if it["flush"] > 0.5 else ""
            print(f"{r['name']:12} {r['wall']:5.1f} {pair('flush')} {off:>6} {pair('throttle')} {pair('asked')} {pair('read')} "
                  f"{pair('memory')} {'/'.join(map(str, r['flags']['flush'])):>11} {'/'.join(map(str, r['stalls']['flush'])):>9} "
                  f"{'/'.join(map(str, r['stalls']['read'])):>9}  {r['victim'][1]}{'' if r['victim'][0] == r['victim'][1] else ' (' + r['victim'][0] + ')'}"
                  f"{' unseen %.1f' % r['unseen'] if r['unseen'] > 0.05 else ''}")
            for line in r["doubtful"]:
                print(f"{'':14}doubtful {line}")
        print("sums")
        names = {"flush": "flushing", "clear": "flushing, those without a true share of 20 to 30 %", "read": "reading",
                 "io": "any of flushing, reading, memory", "blocked": "any, where only `blocked` can be told"}
        seen = [r for r in some if not r["hidden"]]
        for key in ("flush", "throttle", "asked", "read", "memory"):
            we, it = sum(r["ours"][key] for r in seen), sum(r["truth"][key] for r in seen)
            off = sum(abs(r["ours"][key] - r["truth"][key]) for r in seen)
            if it:
                print(f"  {key:9} {we:8.2f} of {it:8.2f} s: {(we - it) / it * 100:+.1f} % in sum, {off / it * 100:.1f} % summed without sign")
        for kind in ("flush", "clear", "read", "io", "blocked"):
            both, ours, true = (sum(r["flags"][kind][i] for r in some) for i in range(3))
            print(f"  seconds flagged for {names[kind]}: {both + true}; precision {part(both, both + ours)}, recall {part(both, both + true)}")
        for kind in ("flush", "read"):
            print("  stalls ({}): {} true, {} missed, {} false".format(kind, *(sum(r["stalls"][kind][i] for r in some) for i in range(3))))
        told_apart(seen)


if __name__ == "__main__":
    one(*sys.argv[2:]) if sys.argv[1] == "one" else table()
