# SPDX-License-Identifier: MIT
#
# Runs each target for FUZZ_SECONDS (60) on its seeds; what it finds anew stays in the build directory, and so
# does an input that breaks something. Any finding ends with status 1.
set -u
status=0
for target in "$@"; do
	name=${target##*/}
	work=$builddir/tests/fuzz/found/$name
	mkdir -p "$work"
	printf '%s: %s seconds\n' "$name" "${FUZZ_SECONDS:-60}"
	"$target" -max_total_time="${FUZZ_SECONDS:-60}" -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
		-print_final_stats=1 -verbosity=0 -artifact_prefix="$work-" "$work" "$srcdir/tests/fuzz/corpus/$name" ||
		status=1
done
exit $status
