# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # scratch and here are of system.sh, the old limits of the state file
#
# A disk that is really slow: ext4, or what SLOW_FS says, on a loop device, with a limit on the bytes a second that may be written to it, and dirty
# limits so small that a build reaches them at once.
#
# Both the block throttle (on cgroup v1) and the dirty limits are the whole machine's. They are put back when the test ends,
# and by a guard process when it is killed; a lock keeps two such tests apart. Sourced after system.sh.

slow=$scratch/slow
slow_state=$scratch/slow.state

# slowdisk_up BYTES_PER_S DIRTY_BYTES BACKGROUND_BYTES: mounts it at $slow.
slowdisk_up()
{
	slow_fs=${SLOW_FS:-ext4}
	need losetup "mkfs.$slow_fs" flock
	slowdisk_find_throttle
	exec 9>/run/lock/buildtop-slowdisk.lock
	flock -w 600 9 || fail "another slow disk was up for ten minutes"

	mkdir -p "$slow"
	truncate -s 1G "$slow.img"
	slow_loop=$(losetup --find --show --direct-io=on "$slow.img") || skip "no loop device to be had"
	slow_device=$(cat "/sys/class/block/${slow_loop##*/}/dev")
	slowdisk_save
	at_end slowdisk_down
	slowdisk_guard

	# All structures are written now, none later in the background: the limit would have them too.
	case $slow_fs in
	ext4) mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$slow_loop" ;;
	*) "mkfs.$slow_fs" -q -f "$slow_loop" ;;
	esac || fail "mkfs.$slow_fs"
	mount "$slow_loop" "$slow"
	chmod 1777 "$slow"
	slow_rate=$1 slow_dirty=$2 slow_background=$3
}

# Everything that was written before is on the disk; from here on it is slow.
slowdisk_throttle()
{
	sync -f "$slow"
	slowdisk_limit "$slow_rate"
	echo "$slow_background" >/proc/sys/vm/dirty_background_bytes
	echo "$slow_dirty" >/proc/sys/vm/dirty_bytes
}

slowdisk_find_throttle()
{
	slow_v1=/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device
	slow_v2=
	[ ! -w "$slow_v1" ] || return 0
	slow_v1=
	if grep -qw io /sys/fs/cgroup/cgroup.controllers 2>/dev/null &&
		echo '+io +memory' >/sys/fs/cgroup/cgroup.subtree_control 2>/dev/null; then
		slow_v2=/sys/fs/cgroup/buildtop-test.$$
		return 0
	fi
	skip "no block throttle on this machine (neither cgroup v1 blkio nor cgroup v2 io)"
}

# slowdisk_limit BYTES_PER_S; 0: none. Of version 2 only a group that is not the root can have one: we move into it.
slowdisk_limit()
{
	if [ -n "$slow_v1" ]; then
		echo "$slow_device $1" >"$slow_v1"
	elif [ "$1" != 0 ]; then
		mkdir -p "$slow_v2"
		echo "$slow_device wbps=$1" >"$slow_v2/io.max"
		echo $$ >"$slow_v2/cgroup.procs"
	elif [ -d "$slow_v2" ]; then
		while read -r pid; do
			echo "$pid" >/sys/fs/cgroup/cgroup.procs || true
		done <"$slow_v2/cgroup.procs"
		rmdir "$slow_v2"
	fi
}

# The same for reading, where cgroup v1 can (a test that needs it elsewhere has no slow reads).
slowdisk_limit_reads()
{
	[ -z "$slow_v1" ] || echo "$slow_device $1" >"${slow_v1%write_bps_device}read_bps_device"
}

# What must be known to put all back, in a form that a shell reads. Of each pair bytes and ratio, only the one that is not 0
# is in force, and writing it makes the other 0.
slowdisk_save()
{
	{
		echo "slow=$slow slow_loop=$slow_loop slow_device=$slow_device slow_v1=$slow_v1 slow_v2=$slow_v2"
		for limit in dirty dirty_background; do
			kind=bytes
			[ "$(cat /proc/sys/vm/${limit}_bytes)" != 0 ] || kind=ratio
			echo "old_$limit=$(cat /proc/sys/vm/${limit}_$kind) kind_$limit=$kind"
		done
	} >"$slow_state"
}

# As quick as it was, and the machine's limits as they were.
slowdisk_release()
{
	# shellcheck source=/dev/null
	. "$slow_state"
	slowdisk_limit 0
	slowdisk_limit_reads 0
	echo "$old_dirty" >"/proc/sys/vm/dirty_$kind_dirty"
	echo "$old_dirty_background" >"/proc/sys/vm/dirty_background_$kind_dirty_background"
}

slowdisk_down()
{
	[ -e "$slow_state" ] || return 0
	slowdisk_release
	# A build that outlives its test may be at work there for a while.
	tries=200
	while mountpoint -q "$slow" && ! umount "$slow" 2>/dev/null; do
		[ "$tries" -gt 0 ] || umount --lazy "$slow"
		tries=$((tries - 1))
		sleep 0.1
	done
	losetup -d "$slow_loop" 2>/dev/null || true
	rm -f "$slow.img" "$slow_state"
	rmdir "$slow" 2>/dev/null || true
}

# Outlives the test, even one that is killed with -9, and does then what the test could not.
slowdisk_guard()
{
	# shellcheck disable=SC2016 # expanded by the guard
	setsid sh -c '
		scratch=$1
		while kill -0 "$2" 2>/dev/null; do sleep 0.2; done
		. "$3"
		slow_state=$scratch/slow.state
		[ ! -e "$slow_state" ] || { slowdisk_down; rm -rf --one-file-system "$scratch"; }
	' guard "$scratch" $$ "$here/slowdisk.sh" </dev/null >/dev/null 2>&1 9>&- &
}
