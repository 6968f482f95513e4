#!/bin/sh
# SPDX-License-Identifier: MIT
# Where /proc hides other users' processes, and as an ordinary user: it starts, watches its build, and says what is hidden.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts
need setpriv

mkdir -m 777 "$scratch/open"
cat >"$scratch/inside.sh" <<'END'
mount -t proc -o hidepid=2 proc /proc || exit 77
cd "$1/open"
unset XDG_STATE_HOME XDG_CONFIG_HOME
export HOME="$1/open"
run() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"; }
run "$1/buildtop" --no-tui --no-record --summary "$1/open/hidden.json" -- \
	sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; sleep 1.5; exit 7' 2>"$1/hidden.err"
echo $? >"$1/hidden.status"
run "$1/buildtop" doctor >"$1/doctor.out" 2>&1
echo $? >"$1/doctor.status"
END
status=0
unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" || status=$?
[ "$status" != 77 ] || skip "proc cannot be mounted with hidepid here"

[ "$(cat "$scratch/hidden.status")" = 7 ] || fail "exit status $(cat "$scratch/hidden.status") instead of the build's 7"
ok "the build's exit status"
cp "$scratch/open/hidden.json" "$scratch/hidden.json"
holds "$scratch/hidden.json" 'd["cpu"]["user_seconds"] > 0.02 and d["monitor"]["samples"] >= 2' "the build is watched"
holds "$scratch/hidden.json" 'any(not s.startswith("yes") and "hid" in s for s in d["sources"].values())' "the summary says what is hidden"
says 'hid' "$scratch/doctor.out" "doctor says what is hidden"
silent 'No such|denied|[Aa]ssert|cannot' "$scratch/hidden.err" "nothing is complained about"
