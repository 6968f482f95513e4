#!/bin/sh
# SPDX-License-Identifier: MIT
# Posting: the build's status stands, and what could not be sent can be sent again.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need python3
unset http_proxy all_proxy ALL_PROXY

"$BUILDTOP" doctor | grep -q 'built without libcurl' && {
	expect 2 "$BUILDTOP" --post http://127.0.0.1:1/ true
	says err "without libcurl"
	exit 0
}

# A server that answers with the status in the path and keeps the last document.
cat >server.py <<'EOF'
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        open("posted.json", "wb").write(body)
        self.send_response(int(self.path.strip("/")))
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open("port.part", "w") as file:
    file.write(str(server.server_port))
import os
os.rename("port.part", "port")
server.serve_forever()
EOF
python3 server.py &
server=$!
trap 'kill $server; cd /; rm -rf "$work"' EXIT
wait_for 10 test -e port || fail "the test's own server does not start"
url=http://127.0.0.1:$(cat port)

expect 0 "$BUILDTOP" -q --summary s.json --post "$url/200" true
cmp s.json posted.json || fail "what was posted is not the summary"
silent err
rm posted.json
expect 0 "$BUILDTOP" post @1 --post "$url/201"
cmp s.json posted.json || fail "what was posted again is not the summary"

# the build's own status, unless asked otherwise
expect 7 "$BUILDTOP" -q --post "$url/200" sh -c 'exit 7'
expect 0 "$BUILDTOP" -q --post "$url/403" true
says err "could not post"
says err "buildtop post"
expect 75 "$BUILDTOP" -q --post-required --post "$url/403" true
expect 7 "$BUILDTOP" -q --post-required --post "$url/403" sh -c 'exit 7'
expect 0 "$BUILDTOP" -q --post-required --post "$url/200" true

expect 1 "$BUILDTOP" post @1 --post "$url/403"
expect 4 "$BUILDTOP" post @1 --post "$url/422"
expect 3 "$BUILDTOP" post nosuch --post "$url/200"
echo secret >token
chmod 644 token
expect 2 "$BUILDTOP" -q --post "$url/200" --post-token-file token touch started
says err "chmod 600"
[ ! -e started ] || fail "the build was started"
