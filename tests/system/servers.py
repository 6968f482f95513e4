# SPDX-License-Identifier: MIT
"""Reads a summary back from the results servers of the real world, each in its own query language, and compares it with the
document figure by figure. The names are written down here a second time, on purpose.

    servers.py check influx|victoria|pushgateway|prometheus URL SUMMARY [BUILDS]
    servers.py port | wait URL | https CERTIFICATE PORTFILE
"""
import csv
import datetime
import io
import json
import re
import sys
import time
import urllib.parse
import urllib.request

urllib.request.install_opener(urllib.request.build_opener(urllib.request.ProxyHandler({})))

ONE = {
    "wall_seconds": "wall_seconds", "stalled_seconds": "stalls.stalled_seconds", "flush_seconds": "stalls.flush_seconds",
    "flush_free_wall_min_seconds": "bound.flush_free_wall_seconds_min",
    "flush_free_wall_max_seconds": "bound.flush_free_wall_seconds_max",
    "exit_status": "exit.status", "complete": "complete", "cpus": "host.cpus",
    "memory_size_bytes": "host.memory_total_bytes", "processes_started": "processes.started",
    "processes_peak": "processes.peak", "rss_peak_bytes": "memory.rss_peak_bytes",
    "page_cache_peak_bytes": "memory.page_cache_peak_bytes", "dirty_peak_bytes": "memory.dirty_peak_bytes",
    "writeback_peak_bytes": "memory.writeback_peak_bytes", "swap_peak_bytes": "memory.swap_peak_bytes",
    "stall_episodes_dropped": "stalls.episodes_dropped", "commands_dropped": "commands_dropped",
    "monitor_interval_seconds": "monitor.sample_interval_seconds", "monitor_samples": "monitor.samples",
    "monitor_samples_missed": "monitor.samples_missed", "monitor_cpu_seconds": "monitor.cpu_seconds",
}
MANY = [
    ("stall", "cause", "stalls.by_cause", "cause", {"seconds": "seconds", "episodes": "episodes"}),
    ("tmpfs", "mount", "tmpfs", "mount", {k: k for k in ("peak_bytes", "size_bytes", "peak_inodes", "inodes",
                                                        "peak_at_seconds", "alarmed")}),
    ("command", "command", "commands", "name", {"cpu_seconds": "cpu_seconds", "runs": "count",
                                                "wall_seconds": "wall_seconds", "rss_peak_bytes": "rss_peak_bytes"}),
]


def at(document, path):
    for key in path.split("."):
        document = document.get(key) if isinstance(document, dict) else None
    return document


def expected(document):
    """{(metric, tag value): value}"""
    figures = {("success", ""): float(document["exit"]["outcome"] == "success")}
    for name, path in ONE.items():
        if at(document, path) is not None:
            figures[name, ""] = float(at(document, path))
    for mode in ("user", "system"):
        figures["cpu_seconds", mode] = float(document["cpu"][mode + "_seconds"])
    for name, value in document["time_seconds"].items():
        figures["time_seconds", name] = float(value)
    for group, _, path, key, names in MANY:
        seen = set()
        for element in at(document, path)[:10 if group == "command" else None]:
            if element[key] in seen:
                continue
            seen.add(element[key])
            for name, source in names.items():
                if element.get(source) is not None:
                    figures[f"{group}_{name}", element[key]] = float(element[source])
    return figures


TAGS = ("mode", "class", "cause", "mount", "command")


def get(url, headers={}):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=20) as answer:
        return answer.read().decode()


def tag_of(labels):
    return next((labels[t] for t in TAGS if labels.get(t)), "")


def keep(figures, name, tag, value, end_ms, label):
    if name.startswith("buildtop_build_"):
        figures.setdefault((name[15:], tag), []).append((float(value), end_ms, label))


def read_influx(url):
    figures = {}
    query = "SELECT * FROM " + ",".join(["buildtop_build"] + [f"buildtop_build_{g}" for g in
                                       ("cpu", "time", "stall", "tmpfs", "command")])
    text = get(url + "/query?" + urllib.parse.urlencode({"db": "builds", "epoch": "ns", "q": query}),
               {"Accept": "application/csv"})
    header = None
    for row in csv.reader(io.StringIO(text)):
        if not row:
            continue
        if row[0] == "name":
            header = row
            continue
        labels = dict(zip(header, row))
        tag = tag_of({t: labels.get(t) for t in TAGS})
        for key, value in labels.items():
            if value and re.fullmatch(r"-?[0-9.e+-]+", value) and key not in ("time", "name", "tags") + TAGS and key not in (
                    "commit", "build_id"):
                keep(figures, f"{labels['name']}_{key}", tag, value, int(labels["time"]) // 10**6, labels.get("odd"))
    return figures


def read_victoria(url):
    figures = {}
    get(url + "/internal/force_flush")
    wanted = urllib.parse.urlencode({"match[]": '{__name__=~"buildtop_build_.*"}', "end": int(time.time()) + 1000})
    for line in get(url + "/api/v1/export?" + wanted).splitlines():
        series = json.loads(line)
        for value, when in zip(series["values"], series["timestamps"]):
            keep(figures, series["metric"]["__name__"], tag_of(series["metric"]), value, when,
                 series["metric"].get("odd"))
    bad = re.findall(r'^(vm_rows_(?:invalid|ignored)_total\S*) ([1-9]\d*)$', get(url + "/metrics"), re.M)
    if bad:
        sys.exit(f"VictoriaMetrics counts lines as bad: {bad}")
    return figures


def read_pushgateway(url):
    figures = {}
    for group in json.loads(get(url + "/api/v1/metrics"))["data"]:
        for name, family in group.items():
            if isinstance(family, dict) and name.startswith("buildtop_"):
                for metric in family["metrics"]:
                    keep(figures, name, tag_of(metric["labels"]), metric["value"], None, metric["labels"].get("odd"))
    return figures


def read_prometheus(url):
    query = urllib.parse.urlencode({"query": '{__name__=~"buildtop_build_.*"}'})
    deadline = time.time() + 30
    while True:
        result = json.loads(get(url + "/api/v1/query?" + query))["data"]["result"]
        if result or time.time() > deadline:
            break
        time.sleep(0.3)
    figures = {}
    for series in result:
        keep(figures, series["metric"]["__name__"], tag_of(series["metric"]), series["value"][1], None,
             series["metric"].get("odd"))
    return figures


def check(kind, url, path, builds="1"):
    document = json.load(open(path, encoding="utf-8"))
    figures = {"influx": read_influx, "victoria": read_victoria, "pushgateway": read_pushgateway,
               "prometheus": read_prometheus}[kind](url)
    end = datetime.datetime.strptime(document["end_time"], "%Y-%m-%dT%H:%M:%S.%fZ")
    end_ms = int((end - datetime.datetime(1970, 1, 1)) / datetime.timedelta(milliseconds=1))
    wrong = []
    for key, value in expected(document).items():
        points = [p for p in figures.get(key, []) if p[1] in (None, end_ms)]
        if len(points) != 1:
            wrong.append(f"{key}: {len(points)} points at the end of the build instead of one")
        elif abs(points[0][0] - value) > abs(value) * 1e-12:
            wrong.append(f"{key}: {points[0][0]!r} instead of {value!r}")
        elif (document["labels"].get("odd") or "") != (points[0][2] or ""):
            wrong.append(f"{key}: label odd is {points[0][2]!r} instead of {document['labels'].get('odd')!r}")
    count = len(figures.get(("wall_seconds", ""), []))
    if count != int(builds):
        wrong.append(f"{count} builds are stored instead of {builds}")
    if wrong:
        sys.exit(f"{kind}: " + "\n".join(wrong[:20]))
    print(f"ok: {kind}: {len(expected(document))} figures read back equal, {count} builds stored")


def port():
    import socket
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        print(s.getsockname()[1])


def wait(url):
    deadline = time.time() + 20
    while True:
        try:
            return get(url)
        except OSError as error:
            if time.time() > deadline:
                sys.exit(f"{url}: {error}")
            time.sleep(0.05)


def https(certificate, portfile):
    import http.server
    import os
    import ssl

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    class Server(http.server.HTTPServer):
        def handle_error(self, *_):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = Server(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(portfile + ".part", "w") as file:
        file.write(str(server.server_port))
    os.rename(portfile + ".part", portfile)
    server.serve_forever()


globals()[sys.argv[1]](*sys.argv[2:])
