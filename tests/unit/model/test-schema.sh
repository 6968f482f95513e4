#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The made-up summaries against the schema that readers of the document have.
set -u
here=$srcdir/tests/unit/model
schema=$srcdir/tests/data/summary.schema.json
print=$builddir/tests/unit/model/print-summary

if ! python3 -c 'import jsonschema' 2>/dev/null; then
	echo "python3 with jsonschema is not there (Debian: python3-jsonschema)"
	[ "${CI:-}" = true ] && exit 1
	exit 77
fi

failed=0
for locale in C C.UTF-8 de_DE.UTF-8; do
	for name in unknown ordinary hostile; do
		LC_ALL=$locale "$print" $name | python3 "$here/validate.py" "$schema" || {
			echo "FAILED: $name in $locale"
			failed=1
		}
	done
done

# The validator must be able to say no.
if "$print" ordinary | sed 's/"schema_version": 1/"schema_version": 2/' |
	python3 "$here/validate.py" "$schema" >/dev/null; then
	echo "FAILED: a wrong document was taken"
	failed=1
fi
exit $failed
