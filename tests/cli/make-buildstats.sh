#!/bin/sh
# SPDX-License-Identifier: MIT
# make-buildstats.sh DIRECTORY: a made-up buildstats directory as bitbake writes it today, with all that real ones hold:
# stamps that repeat, a first disk line that is no rate, tasks without an end, "+" in names, trailing blanks.
set -eu
mkdir -p "$1/reduced_proc_pressure"
cd "$1"
cat >build_stats <<'END'
Host Info: Linux builder 6.1.0-30-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.124-1 (2025-01-12) x86_64 
Build Started: 1700000000.25 
Elapsed time: 20.00 seconds 
CPU usage: 41.0% 
END

# task RECIPE NAME START END STATUS USER SYSTEM READ WRITE
task()
{
	mkdir -p "$1"
	{
		echo "Event: TaskStarted "
		echo "Started: $3 "
		[ -n "$4" ] || return 0
		echo "$1: $2"
		echo "Elapsed time: 1.00 seconds"
		echo "utime: 999"
		echo "IO rchar: 1"
		echo "IO write_bytes: $9"
		echo "IO read_bytes: $8"
		echo "IO cancelled_write_bytes: 4096"
		echo "rusage ru_utime: $6"
		echo "rusage ru_stime: $7"
		echo "rusage ru_maxrss: 1000"
		echo "Child rusage ru_utime: 1.5"
		echo "Child rusage ru_stime: 0.000125"
		echo "Child rusage ru_maxrss: 2000"
		echo "Status: $5 "
		echo "Ended: $4 "
	} >>"$1/$2"
}
task zlib-1.3-r0 do_compile 1700000002.50 1700000012.75 PASSED 8.5 1 1048576 2097152
task zlib-1.3-r0 do_install 1700000013.00 1700000013.00 PASSED 0 0.01 0 4096
task gnu-config-20180713+gitAUTOINC+30d53fc428-r0 do_fetch 1700000001.10 "" "" 0 0 0 0
task busybox-1.36.1-r0 do_compile_ptest_base 1700000001.10 1700000019.99 PASSED 2e-05 0 0 0

for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	stamp=$((1700000000 + second))
	printf '%s\n0.5025 0.05 0.0025\n\n' "$stamp" >>reduced_proc_stat.log
	printf '%s\n%s %s 1.0\n\n' "$stamp" 10240.0 $((second * 102400)) >>reduced_proc_diskstats.log
	printf '%s\n8000000 %s 1000 2000000 0 0\n\n' "$stamp" $((4000000 - second)) >>reduced_proc_meminfo.log
	printf '%s\n/dev/sda1: %s\n/dev/sdb1: 77\n\n' "$stamp" $((5000000 + second * 4096)) >>monitor_disk.log
	for kind in cpu io memory; do
		printf '%s\n1.00 0.50 0.25 250000\n\n' "$stamp" >>reduced_proc_pressure/$kind.log
	done
done
# forced lines within a second that was told already
printf '1700000020\n1.0 0.0 0.0\n\n1700000020\n' >>reduced_proc_stat.log
