#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Reads the #include lines of src/ and include/ against the floors of the house: a room opens only what stands in its
# line of the table, a foreign library only its own room, and a room's private headers only the room itself. Also: each
# file opens with the licence and says what it is. First proves on made-up trees that it can say no.
set -u

# room: the rooms it may open (its own and the C library go without saying)
rooms='
base:
model: base
probe: base model
store: base model
diagnose: base model
history: base model
stream: base model probe store diagnose history
tui: base model
report: base model diagnose
alert: base model
post: base model diagnose history
bench: base model diagnose stream
cmd: base model probe store diagnose history stream tui report alert post bench
'

# a regular expression for a foreign header: the rooms it may be opened in
foreign='
^libproc2/: probe
^libmount/: probe
^linux/perf_event\.h$: probe
^zstd: store
^zdict\.h$: store
^sqlite3: history
curses: tui
^(panel|menu|form|term)\.h$: tui
^curl/: post
^zlib: post
^pthread\.h$: stream
^threads\.h$: stream
^getopt\.h$: cmd
^jansson: model report post
'

check_tree() # of directory $1: prints what is wrong; fails if anything is
{
	(cd "$1" && find src include -type f \( -name '*.[ch]' -o -name '*.def' \) | LC_ALL=C sort |
		LC_ALL=C xargs awk -v rooms="$rooms" -v foreign="$foreign" '
	BEGIN {
		n = split(rooms, lines, "\n")
		for (i = 1; i <= n; i++) {
			if (split(lines[i], part, ":") < 2)
				continue
			known[part[1]] = 1
			m = split(part[2], word, " ")
			for (k = 1; k <= m; k++)
				may[part[1], word[k]] = 1
		}
		n = split(foreign, lines, "\n")
		for (i = 1; i <= n; i++) {
			at = index(lines[i], ": ")
			if (!at)
				continue
			pattern[++patterns] = substr(lines[i], 1, at - 1)
			homes[patterns] = " " substr(lines[i], at + 2) " "
		}
	}

	function wrong(text) {
		print FILENAME ":" FNR ": " text
		failed = 1
	}

	function exists(path,    line, got) {
		got = (getline line < path)
		close(path)
		return got >= 0
	}

	# dir/../x is x
	function normal(path) {
		while (match(path, /[^\/.][^\/]*\/\.\.\//))
			path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
		return path
	}

	function check_quoted(name,    part, target) {
		split(name, part, "/")
		if (name ~ /\// && part[1] in known && exists("include/" name)) {
			if (part[1] != room && !((room, part[1]) in may))
				wrong("room " room " may not open room " part[1] " (" name ")")
			return
		}
		target = FILENAME
		sub(/[^\/]*$/, "", target)
		target = normal(target name)
		if (index(target, "src/" room "/") != 1)
			wrong(name " is neither a header in include/ nor a private one of room " room)
		else if (!exists(target))
			wrong(name " is not there")
	}

	function check_angled(name,    i, part) {
		split(name, part, "/")
		if (name ~ /\// && part[1] in known && exists("include/" name))
			wrong("a header of ours in angle brackets (" name ")")
		for (i = 1; i <= patterns; i++)
			if (name ~ pattern[i] && index(homes[i], " " room " ") == 0)
				wrong("<" name "> may not be opened in room " room ", only in" homes[i])
	}

	# The head of the file before: it counts once the file turned out not to be a mere scrap.
	function finish() {
		if (last != "" && lines_read >= 10 && !said) {
			print last ":1: the head does not say what the file is"
			failed = 1
		}
		if (lines_read > 500)
			print "note: " last " has " lines_read " lines"
	}

	FNR == 1 {
		finish()
		last = FILENAME
		said = 0
		head = 1
		split(FILENAME, path, "/")
		room = path[2]
		if (!(room in known))
			wrong(room " is no room")
		if ($0 !~ /^\/\* SPDX-License-Identifier: MIT( \*\/)?$/)
			wrong("does not open with the licence: /* SPDX-License-Identifier: MIT")
	}
	{ lines_read = FNR }
	head && FNR > 1 && /^ \* [^ ]/ { said = 1 }
	head && /\*\// { head = 0 }
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		name = $0
		sub(/^[^"]*"/, "", name)
		sub(/".*/, "", name)
		check_quoted(name)
		here = FILENAME
		sub(/[^\/]*$/, "", here)
		for (i = 1; i <= patterns; i++)
			if (name ~ pattern[i] && !exists(normal(here name))) # ours may be called so too: ncurses has a panel.h
				wrong("a foreign header in quotes (" name ")")
	}
	/^[ \t]*#[ \t]*include[ \t]*</ {
		name = $0
		sub(/^[^<]*</, "", name)
		sub(/>.*/, "", name)
		check_angled(name)
	}
	END {
		finish()
		exit failed
	}')
}

# A tree with nothing wrong, to be spoilt.
make_tree()
{
	rm -rf "$tree"
	mkdir -p "$tree/src/base" "$tree/src/model" "$tree/src/store" "$tree/src/tui/panels" "$tree/include/base" \
		"$tree/include/model" "$tree/include/store"
	licence='/* SPDX-License-Identifier: MIT'
	for file in include/base/ring.h include/model/tick.h include/store/reader.h src/store/frame.h src/tui/tui.h; do
		printf '%s\n *\n * Made up.\n */\n' "$licence" >"$tree/$file"
	done
	printf '%s */\n#include "base/ring.h"\n#include <stdio.h>\n' "$licence" >"$tree/src/base/ring.c"
	printf '%s */\n#include "base/ring.h"\n#include <jansson.h>\n' "$licence" >"$tree/src/model/tick.c"
	printf '%s */\n#include "model/tick.h"\n#include "frame.h"\n#include <zstd.h>\n' "$licence" >"$tree/src/store/frame.c"
	printf '%s */\n#include "model/tick.h"\n#include "../tui.h"\n#include <curses.h>\n' "$licence" \
		>"$tree/src/tui/panels/tasks.c"
}

# Adds line $2 to file $1 of a good tree and expects a complaint that holds $3.
expect_no()
{
	make_tree
	printf '%s\n' "$2" >>"$tree/$1"
	if answer=$(check_tree "$tree"); then
		echo "SELF-TEST FAILED: took $2 in $1"
		failed=1
	elif ! printf '%s\n' "$answer" | grep -qF "$3"; then
		echo "SELF-TEST FAILED: for $2 in $1 it said: $answer"
		failed=1
	fi
}

self_test()
{
	tree=${builddir:-.}/include-direction.$$
	trap 'rm -rf "$tree"' EXIT
	trap 'exit 1' HUP INT TERM
	make_tree
	if ! answer=$(check_tree "$tree") || [ -n "$answer" ]; then
		echo "SELF-TEST FAILED: a good tree: $answer"
		failed=1
	fi
	expect_no src/base/ring.c '#include "model/tick.h"' 'room base may not open room model'
	expect_no include/base/ring.h '# include "model/tick.h"' 'room base may not open room model'
	expect_no src/tui/panels/tasks.c '#include "store/reader.h"' 'room tui may not open room store'
	expect_no src/tui/panels/tasks.c '#include "../../store/frame.h"' 'nor a private one of room tui'
	expect_no src/store/frame.c '#include "../tui/tui.h"' 'nor a private one of room store'
	expect_no src/store/frame.c '#include "absent.h"' 'is not there'
	expect_no src/store/frame.c '#include <model/tick.h>' 'in angle brackets'
	expect_no src/store/frame.c '#include <pthread.h>' '<pthread.h> may not be opened in room store'
	expect_no src/model/tick.c '#include <zstd.h>' 'only in store'
	expect_no src/tui/panels/tasks.c '#include <curl/curl.h>' '<curl/curl.h> may not be opened'
	expect_no src/store/frame.c '#include "jansson.h"' 'a foreign header in quotes'
	expect_no src/attic.c 'int x;' 'is no room'
	expect_no src/store/bare.c '#include <stdio.h>' 'does not open with the licence'
	make_tree
	{ echo '/* SPDX-License-Identifier: MIT */'; yes 'int x;' | head -n 12; } >"$tree/src/base/mute.c"
	if check_tree "$tree" | grep -qF 'does not say what the file is'; then :; else
		echo "SELF-TEST FAILED: took a file without a head"
		failed=1
	fi
}

failed=0
self_test
check_tree "${srcdir:-.}" || failed=1
exit $failed
