/* SPDX-License-Identifier: MIT
 *
 * Column by column, since pids, times and names are like each other and zstd finds that. Rows stand in the
 * order of their ends, so an end is told by its distance from the one before; names are told once a sample.
 * Nothing stands on the sample before.
 */
#include "exit_rows.h"

#include <string.h>

#include "base/clock.h"
#include "format.h"

static uint64_t us_of(int64_t ns)
{
	return (uint64_t)(ns / NS_PER_US);
}

static bool is_named_alike(const struct sample *sample, const struct exit_row *a, const struct exit_row *b)
{
	size_t a_len, b_len;
	const char *a_name = sample_string(sample, a->comm, &a_len);
	const char *b_name = sample_string(sample, b->comm, &b_len);

	return a_len == b_len && memcmp(a_name, b_name, a_len) == 0;
}

/* How many rows back the name was told last, or 0 and the name. */
static void name_put(struct buf *section, const struct sample *sample, size_t i)
{
	const struct exit_row *row = &sample->exits[i];
	size_t back, len;
	const char *name = sample_string(sample, row->comm, &len);

	for (back = 1; back <= i && back <= EXIT_NAME_BACK; back++)
		if (is_named_alike(sample, row, row - back)) {
			put_varint(section, back);
			return;
		}
	put_varint(section, 0);
	put_bytes(section, name, len);
}

void exit_rows_put(struct buf *section, const struct sample *sample)
{
	const struct exit_row *rows = sample->exits;
	size_t n = sample->n_exits;

	put_varint(section, n);
	for (size_t i = 0; i < n; i++)
		put_signed(section, rows[i].pid - (int64_t)(i ? rows[i - 1].pid : 0));
	for (size_t i = 0; i < n; i++)
		put_signed(section, rows[i].ppid - (int64_t)(i ? rows[i - 1].ppid : 0));
	for (size_t i = 0; i < n; i++)
		put_varint(section,
			   zigzag(us_of(rows[i].end_ns) - us_of(i ? rows[i - 1].end_ns : sample->mono_ns)));
	for (size_t i = 0; i < n; i++)
		put_varint(section, zigzag(us_of(rows[i].end_ns) - us_of(rows[i].start_ns)));
	for (size_t i = 0; i < n; i++)
		put_varint(section, rows[i].cpu_us + 1); /* not available is 0 */
	for (size_t i = 0; i < n; i++)
		name_put(section, sample, i);
}

static void name_get(struct scan *section, struct sample *sample, size_t i)
{
	uint64_t back = get_bounded(section, EXIT_NAME_BACK);
	size_t len = 0;
	const uint8_t *name;

	if (back > i) {
		section->bad = true;
	} else if (back > 0) {
		sample->exits[i].comm = sample->exits[i - back].comm;
	} else {
		name = get_bytes(section, EXIT_NAME_MAX, &len);
		sample->exits[i].comm = name ? sample_add_string(sample, (const char *)name, len) : 0;
	}
}

static int32_t pid_get(struct scan *section, int32_t before)
{
	return (int32_t)((uint64_t)before + (uint64_t)get_signed(section));
}

void exit_rows_get(struct scan *section, struct sample *sample)
{
	size_t n = (size_t)get_bounded(section, scan_left(section) / EXIT_ROW_LEAST);
	struct exit_row *rows;

	for (size_t i = 0; i < n; i++)
		sample_add_exit(sample);
	rows = sample->exits;
	for (size_t i = 0; i < n; i++)
		rows[i].pid = pid_get(section, i ? rows[i - 1].pid : 0);
	for (size_t i = 0; i < n; i++)
		rows[i].ppid = pid_get(section, i ? rows[i - 1].ppid : 0);
	for (size_t i = 0; i < n; i++)
		rows[i].end_ns = (int64_t)((us_of(i ? rows[i - 1].end_ns : sample->mono_ns) +
					    unzigzag(get_varint(section))) *
					   NS_PER_US);
	for (size_t i = 0; i < n; i++)
		rows[i].start_ns =
			(int64_t)((us_of(rows[i].end_ns) - unzigzag(get_varint(section))) * NS_PER_US);
	for (size_t i = 0; i < n; i++)
		rows[i].cpu_us = get_varint(section) - 1;
	for (size_t i = 0; i < n && !section->bad; i++)
		name_get(section, sample, i);
	if (section->bad)
		sample->n_exits = 0;
}
