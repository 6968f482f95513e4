#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Summaries sent to real servers, on free ports of this machine, and asked back of them in their own languages. What is
# not there is said; the test is skipped if none is.

# shellcheck source=tests/system/system.sh
. "${srcdir:-.}/tests/system/system.sh"
need python3 curl
unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY BUILDTOP_POST BUILDTOP_POST_TOKEN
servers=$here/servers.py

for tool in victoria-metrics influxd prometheus-pushgateway prometheus promtool; do
	need "$tool"
done

ask() { "$python" "$servers" "$@"; }

# start NAME COMMAND...: in the background; its pid in $pid and, to be ended, in the list.
start()
{
	name=$1
	shift
	HOME=$scratch "$@" >"$scratch/$name.log" 2>&1 &
	pid=$!
	at_end "kill -9 $pid 2>/dev/null"
}

start_influx() # NAME [VARIABLE=VALUE...]
{
	name=$1
	shift
	start "$name" env "$@" INFLUXDB_BIND_ADDRESS=127.0.0.1:"$(ask port)" INFLUXDB_HTTP_BIND_ADDRESS=127.0.0.1:"$influx_port" \
		INFLUXDB_META_DIR="$scratch/$name/m" INFLUXDB_DATA_DIR="$scratch/$name/d" \
		INFLUXDB_DATA_WAL_DIR="$scratch/$name/w" INFLUXDB_MONITOR_STORE_ENABLED=false influxd run -config /dev/null
	influx_pid=$pid
	ask wait "$influx/ping" >/dev/null
}

victoria=http://127.0.0.1:$(ask port)
influx_port=$(ask port)
influx=http://127.0.0.1:$influx_port
gateway=http://127.0.0.1:$(ask port)
prometheus=http://127.0.0.1:$(ask port)

start victoria victoria-metrics -storageDataPath="$scratch/vm" -httpListenAddr="${victoria#http://}" -retentionPeriod=100y \
	-dedup.minScrapeInterval=1ms -search.latencyOffset=0s -search.disableCache -memory.allowedBytes=128MB -loggerLevel=WARN
start_influx influx
start gateway prometheus-pushgateway --web.listen-address="${gateway#http://}" --persistence.file= --log.level=warn
cat >"$scratch/p.yml" <<END
global: {scrape_interval: 1s}
scrape_configs:
  - {job_name: pushgateway, honor_labels: true, static_configs: [{targets: ['${gateway#http://}']}]}
END
start prometheus prometheus --config.file="$scratch/p.yml" --web.listen-address="${prometheus#http://}" \
	--storage.tsdb.path="$scratch/tsdb" --log.level=warn
ask wait "$victoria/health" >/dev/null
ask wait "$gateway/-/ready" >/dev/null
ask wait "$prometheus/-/ready" >/dev/null
curl -sf --noproxy '*' "$influx/query" --data-urlencode 'q=CREATE DATABASE builds' >/dev/null

# A build that writes, stalls and fills a bit.
build='for i in 1 2 3; do dd if=/dev/zero of='$scratch'/file bs=1M count=64 conv=fsync 2>/dev/null; done; ls /proc/self >/dev/null; sleep 0.3'
odd='a "b",c=d é 🚀 C:\dir'
watched first -q -l project=p/q -l variant=v -l "odd=$odd" --post "$influx/write?db=builds" \
	--post "$victoria/write" --post-format influx-numeric --post "$gateway" --post-format pushgateway \
	--prom-textfile "$scratch" -- sh -c "$build"
[ ! -s "$scratch/first.err" ] || fail "it was not sent: $(cat "$scratch/first.err")"
id=$(json "$scratch/first.json" 'd["id"]')
for round in once twice; do
	ask check influx "$influx" "$scratch/first.json" || fail "InfluxDB, sent $round"
	ask check victoria "$victoria" "$scratch/first.json" || fail "VictoriaMetrics, sent $round"
	ask check pushgateway "$gateway" "$scratch/first.json" || fail "the Pushgateway, sent $round"
	"$BUILDTOP" post "$id" --post "$influx/write?db=builds" --post "$victoria/write" --post-format influx-numeric \
		--post "$gateway" --post-format pushgateway || fail "sending again"
done
ask check prometheus "$prometheus" "$scratch/first.json" || fail "Prometheus by way of the Pushgateway"
promtool check metrics <"$scratch/buildtop.prom" >"$scratch/promtool.out" 2>&1 || fail "promtool: $(cat "$scratch/promtool.out")"
[ ! -s "$scratch/promtool.out" ] || fail "promtool has something to say: $(cat "$scratch/promtool.out")"
ok "promtool finds nothing in buildtop.prom"

"$BUILDTOP" post --test --post "$influx/write?db=builds" || fail "the test point"
"$BUILDTOP" post --delete-group --post "$gateway" --post-format pushgateway --project p/q --variant v \
	--host "$(json "$scratch/first.json" 'd["host"]["name"]')" || fail "deleting the group"
silent buildtop_build_wall_seconds "$(curl -s --noproxy '*' "$gateway/metrics" >"$scratch/gone"; echo "$scratch/gone")" "the group is gone"

# Down at the end of 20 builds, up again; on the way both sides are killed.
kill -9 "$influx_pid"
n=0
while [ $n -lt 20 ]; do
	watched "down$n" -q -l project=down --post "$influx/write?db=builds" -- true
	n=$((n + 1))
done
start_influx influx
curl -s --noproxy '*' "$influx/query" --data-urlencode 'q=SHOW DATABASES' | grep -q builds || fail "InfluxDB has lost its database"
"$BUILDTOP" post >"$scratch/post.out" 2>&1 &
post_pid=$!
sleep 0.15
kill -9 "$post_pid" 2>/dev/null || true
kill -9 "$influx_pid"
wait "$post_pid" 2>/dev/null || true
start_influx influx
"$BUILDTOP" post || fail "sending what waits"
"$BUILDTOP" post --status >"$scratch/status.out"
[ ! -s "$scratch/status.out" ] || fail "something still waits: $(cat "$scratch/status.out")"
for n in 0 7 19; do
	ask check influx "$influx" "$scratch/down$n.json" 21 || fail "build $n of those while InfluxDB was down"
done

# Authentication, and a server that takes little
kill -9 "$influx_pid"
start_influx secure INFLUXDB_HTTP_AUTH_ENABLED=true INFLUXDB_HTTP_MAX_BODY_SIZE=200
curl -sf --noproxy '*' "$influx/query" --data-urlencode "q=CREATE USER x WITH PASSWORD 'y' WITH ALL PRIVILEGES" >/dev/null
curl -sf --noproxy '*' -u x:y "$influx/query" --data-urlencode 'q=CREATE DATABASE builds' >/dev/null
watched denied -q --post "$influx/write?db=builds" -- true
says '401' "$scratch/denied.err" "without a password it is not taken, and kept"
printf 'x:y\n' >"$scratch/token"
chmod 600 "$scratch/token"
watched large -q --post "$influx/write?db=builds" --post-gzip no --post-auth basic --post-token-file "$scratch/token" -- true
says '413' "$scratch/large.err" "too large: refused and said"
kill -9 "$influx_pid"
start_influx secure INFLUXDB_HTTP_AUTH_ENABLED=true
"$BUILDTOP" post --retry-rejected --post "$influx/write?db=builds" --post-auth basic --post-token-file "$scratch/token" ||
	fail "with the password it should be taken"

# TLS: an authority of our own, a wrong name, one that has expired
if command -v openssl >/dev/null 2>&1; then
	make_certificate() # NAME SUBJECT-ALTERNATIVE DAYS
	{
		echo "subjectAltName=$2" >"$scratch/$1.ext"
		openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$scratch/$1.key" \
			-out "$scratch/$1.csr" -subj /CN=buildtop-test 2>/dev/null
		openssl x509 -req -in "$scratch/$1.csr" -signkey "$scratch/$1.key" -days "$3" -extfile "$scratch/$1.ext" \
			-out "$scratch/$1.crt" 2>/dev/null
		cat "$scratch/$1.key" "$scratch/$1.crt" >"$scratch/$1.pem"
		"$python" "$servers" https "$scratch/$1.pem" "$scratch/$1.port" 2>/dev/null &
		at_end "kill $! 2>/dev/null"
		wait_for 10 test -e "$scratch/$1.port" || fail "no https server for $1"
		url=https://127.0.0.1:$(cat "$scratch/$1.port")/
	}
	make_certificate good IP:127.0.0.1 2
	watched tls -q --no-history --post "$url" --post-cacert "$scratch/good.crt" -- true
	silent . "$scratch/tls.err" "TLS with an authority of our own"
	watched tls -q --no-history --post "$url" -- true
	says 'could not post' "$scratch/tls.err" "an unknown authority is refused"
	watched tls -q --no-history --post "$url" --post-insecure -- true
	says 'not checked' "$scratch/tls.err" "--post-insecure warns"
	silent 'could not post' "$scratch/tls.err" "and sends"
	make_certificate name DNS:other.example 2
	watched tls -q --no-history --post "$url" --post-cacert "$scratch/name.crt" -- true
	says 'could not post' "$scratch/tls.err" "a wrong name is refused"
	make_certificate expired IP:127.0.0.1 -1
	watched tls -q --no-history --post "$url" --post-cacert "$scratch/expired.crt" -- true
	says 'could not post.*expired' "$scratch/tls.err" "one that has expired is refused"
else
	echo "left out: TLS, there is no openssl"
fi

# A server that takes everything and says nothing: the build waits for it no longer than said, and live points disturb no tick.
"$python" -c '
import socket, sys, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(50)
open(sys.argv[1] + ".part", "w").write(str(s.getsockname()[1])); __import__("os").rename(sys.argv[1] + ".part", sys.argv[1])
kept = []
while True: kept.append(s.accept())' "$scratch/mute.port" &
at_end "kill $! 2>/dev/null"
wait_for 10 test -e "$scratch/mute.port" || fail "no mute server"
mute=http://127.0.0.1:$(cat "$scratch/mute.port")/write
before=$(date +%s)
watched mute -q -i 0.2 --post "$mute" --post-live 10 --post-timeout 2 -- sleep 12
took=$(($(date +%s) - before))
[ "$took" -le 27 ] || fail "the end was late: $took s in all"
ok "a mute server: $took s for a build of 12"
holds "$scratch/mute.json" 'd["monitor"]["samples_missed"] == 0' "no tick was late for the live points"
says 'could not post to 127.0.0.1' "$scratch/mute.err" "it was said"

# Live points to a real one
mkdir "$scratch/small"
mount -t tmpfs -o size=4m tmpfs "$scratch/small" || fail "no tmpfs"
at_end "umount '$scratch/small'"
watched live -q -l project=live -w "$scratch/small" --post "$victoria/write" --post-format influx-numeric --post-live 10 \
	--post-alerts -- sh -c "sleep 1; head -c 4000000 /dev/zero >$scratch/small/file; sleep 3"
curl -s --noproxy '*' "$victoria/internal/force_flush"
curl -s --noproxy '*' "$victoria/api/v1/label/__name__/values" >"$scratch/names"
says buildtop_live_dirty_bytes "$scratch/names" "live points arrive"
says buildtop_alert_raised "$scratch/names" "an alarm arrives"
