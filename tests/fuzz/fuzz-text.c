/* SPDX-License-Identifier: MIT
 *
 * The parsers of small texts: what /proc says, quantities that people write, and the cleaning of foreign
 * bytes. The first byte chooses the group.
 */
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/probe/parse.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "model/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void proc_texts(const char *text, size_t len)
{
	struct parse_stat stat;
	struct parse_schedstat schedstat;
	struct parse_flushes flushes;
	const char *at = text;
	int32_t number;
	uint64_t value;
	parse_stat(text, len, &stat);
	parse_schedstat(text, &schedstat);
	parse_syscall(text, &number);
	while (parse_next_pid(&at, &number))
		;
	for (at = text; parse_next_flushes(&at, &flushes);)
		;
	parse_pressure(text, "some", &value);
	parse_pressure(text, "full", &value);
	parse_named(text, "nr_dirty", &value);
	parse_named(text, "Dirty:", &value);
}

static void quantities(const char *text)
{
	char out[UNITS_SIZE];
	uint64_t bytes;
	int64_t ns;
	double number;
	if (units_parse_bytes(text, &bytes)) {
		units_bytes(out, bytes);
		units_bytes_short(out, bytes);
	}
	if (units_parse_duration(text, &ns)) {
		units_duration(out, (double)ns / 1e9);
		units_elapsed(out, (double)ns / 1e9);
	}
	if (units_parse_number(text, &number)) {
		units_percent(out, number);
		units_rate(out, number);
	}
}

static void foreign_text(const char *text, size_t len)
{
	char clean[40];
	struct buf out = {0};
	size_t used;
	if (text_clean(clean, sizeof clean, text, len) >= sizeof clean || strlen(clean) >= sizeof clean)
		abort();
	text_clean_add(&out, text, len);
	if (out.len > 0 && text_fit(out.data, 10, &used) <= out.len && used > 10)
		abort();
	buf_clear(&out);
	text_utf8_add(&out, text, len, 100);
	if (out.len > 100)
		abort();
	buf_fini(&out);
}

static void labels(char *text)
{
	struct run *run = run_new();
	char *equals = strchr(text, '=');
	if (equals) {
		*equals = '\0';
		run_add_label(run, text, equals + 1);
		run_add_label(run, text, "again");
		run_label(run, text);
	}
	run_free(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool begun;
	if (!begun) {
		setlocale(LC_CTYPE, "C.UTF-8");
		text_init();
		begun = true;
	}
	if (size == 0)
		return 0;
	char *text = mem_dup_n((const char *)data + 1, size - 1);
	switch (data[0] % 4) {
	case 0:
		proc_texts(text, size - 1);
		break;
	case 1:
		quantities(text);
		break;
	case 2:
		foreign_text(text, size - 1);
		break;
	default:
		labels(text);
		break;
	}
	free(text);
	return 0;
}
