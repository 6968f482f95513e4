#!/bin/sh
# SPDX-License-Identifier: MIT
# Posting: the build's status stands, what could not be sent waits, and no secret gets anywhere.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need python3
unset http_proxy all_proxy ALL_PROXY

"$BUILDTOP" doctor | grep -q 'built without libcurl' && {
	expect 2 "$BUILDTOP" --post http://127.0.0.1:1/ true
	says err "without libcurl"
	exit 0
}

# A server that answers with the status in the path and keeps what it was sent last; while there is a file "down" it says 503.
cat >server.py <<'EOF'
import http.server, os
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        open("posted", "wb").write(body)
        open("headers", "w").write(str(self.headers))
        with open("count", "a") as count:
            count.write(self.headers["Idempotency-Key"] + "\n")
        self.send_response(503 if os.path.exists("down") else int(self.path.split("/")[1]))
        self.send_header("Content-Length", "0")
        self.end_headers()
    do_PUT = do_POST
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open("port.part", "w") as file:
    file.write(str(server.server_port))
os.rename("port.part", "port")
server.serve_forever()
EOF
python3 server.py &
server=$!
trap 'kill $server; cd /; rm -rf "$work"' EXIT
wait_for 10 test -e port || fail "the test's own server does not start"
url=http://127.0.0.1:$(cat port)

expect 0 "$BUILDTOP" -q --summary s.json --post "$url/200" true
cmp s.json posted || fail "what was posted is not the summary"
silent err
rm posted
expect 0 "$BUILDTOP" post @1 --post "$url/201"
cmp s.json posted || fail "what was posted again is not the summary"
id=$(sed -n 's/^  "id": "\(.*\)",/\1/p' s.json)
rm posted
expect 0 "$BUILDTOP" post "$id" --post "$url/201"
cmp s.json posted || fail "what was posted by its id is not the summary"

# the build's own status, unless asked otherwise
expect 7 "$BUILDTOP" -q --post "$url/200" sh -c 'exit 7'
expect 0 "$BUILDTOP" -q --post "$url/403" true
says err "could not post"
says err "buildtop post"
expect 75 "$BUILDTOP" -q --post-required --post "$url/403" true
expect 7 "$BUILDTOP" -q --post-required --post "$url/403" sh -c 'exit 7'
expect 0 "$BUILDTOP" -q --post-required --post "$url/200" true

# what waits
expect 0 "$BUILDTOP" post --status
[ "$(grep -c waits out)" = 3 ] || fail "there should be three that wait"
expect 1 "$BUILDTOP" post
expect 1 "$BUILDTOP" post @1 --post "$url/403"
expect 4 "$BUILDTOP" post @1 --post "$url/422"
expect 3 "$BUILDTOP" post nosuch --post "$url/200"

# a server that is down at the end of builds, and up again
rm -rf state
touch down
n=0
while [ $n -lt 4 ]; do
	expect 0 "$BUILDTOP" -q --post "$url/200/write" --post-timeout 2 true
	n=$((n + 1))
done
rm down count
expect 0 "$BUILDTOP" post
says err "4 sent"
[ "$(sort -u count | wc -l)" = 4 ] || fail "not all four went, or one went twice"
[ "$(wc -l <count)" = 4 ] || fail "one went twice"
expect 0 "$BUILDTOP" post
expect 0 "$BUILDTOP" post --status
silent out

rm count
expect 0 "$BUILDTOP" post --since 1d --post "$url/200"
[ "$(sort -u count | wc -l)" = 4 ] || fail "not all builds since yesterday went"
expect 2 "$BUILDTOP" post --since never --post "$url/200"

# several servers, each with options of its own
expect 0 "$BUILDTOP" -q -l 'odd=a "b",c=d' --post "$url/200/a" --post-gzip yes --post "$url/204/write" --post-gzip no true
grep -q '^buildtop_build,.*,odd=a\\ "b"\\,c\\=d.* wall_seconds=' posted || fail "not in influx's words: $(cat posted)"
expect 0 "$BUILDTOP" post --dry-run @1 --post "$url/x?token=geheim"
says out "token=***"
grep -q geheim out && fail "a secret is printed"

# while it runs
rm count
expect 0 "$BUILDTOP" -q -i 0.2 --post "$url/204/write" --post-gzip no --post-live 10 sleep 1
grep -qx live count || fail "no live point was sent"
silent err

# node_exporter's directory
expect 0 "$BUILDTOP" -q --prom-textfile . true
grep -q '^buildtop_build_wall_seconds{' buildtop.prom || fail "no figures in buildtop.prom"

# a token
echo secret-of-file >token
chmod 644 token
expect 2 "$BUILDTOP" -q --post "$url/200" --post-token-file token touch started
says err "chmod 600"
[ ! -e started ] || fail "the build was started"
chmod 600 token
expect 0 "$BUILDTOP" -q --post "$url/200" --post-token-file token true
grep -q '^Authorization: Bearer secret-of-file' headers || fail "the token was not sent"
BUILDTOP_POST_TOKEN=secret-of-env expect 0 "$BUILDTOP" -q --post "$url/403" --post-auth header:X-Key \
	sh -c 'env; tr "\0" "\n" </proc/$PPID/environ; cat /proc/$PPID/cmdline'
grep -q secret-of-env headers || fail "the token of the environment was not sent"
grep -rl secret-of-env out err state && fail "the token is in what the build sees, or in a file"

# all that is executed and written by anybody: the token is in our own beginning and on the way to the server, nowhere else
if command -v strace >/dev/null 2>&1 && BUILDTOP_POST_TOKEN=secret-traced strace -f -v -s 100000 -o trace -e \
	trace=execve,write,pwrite64,writev "$BUILDTOP" -q --post "$url/403" -o traced.buildtop sh -c 'env; true' >out 2>err; then
	[ "$(grep -c execve trace)" -gt 1 ] || fail "the trace has no build in it"
	grep secret-traced trace | grep -v "^[0-9]* *execve(\"$BUILDTOP\"" && fail "the token is seen there"
	grep -q secret-traced out err traced.buildtop && fail "the token was written"
	grep -q secret-traced headers || fail "the token was not sent"
else
	echo "left out: strace is not there, or may not trace"
fi

# libcurl and what it needs take a third of the memory: only where something is posted
# shellcheck disable=SC2016 # by that sh
expect 0 "$BUILDTOP" -q sh -c '! grep -q libcurl "/proc/$PPID/maps"'
# shellcheck disable=SC2016
expect 0 "$BUILDTOP" -q --post "$url/200" sh -c 'grep -q libcurl "/proc/$PPID/maps"'

# the configuration
mkdir -p config/buildtop
printf '%s\n' '# servers' "post = $url/200/write" 'post-gzip no' 'label project=configured' >config/buildtop/config
expect 0 "$BUILDTOP" -q true
grep -q 'project=configured' posted || fail "the configuration was not used"
rm posted
expect 0 "$BUILDTOP" -q --no-post true
[ ! -e posted ] || fail "--no-post posted"
exit 0
