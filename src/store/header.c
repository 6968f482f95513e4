/* SPDX-License-Identifier: MIT
 *
 * Fields of the header as tag, length, value. Readers skip tags they do not know; a field may grow at its
 * end. Letters, not enum values, name scope, unit and kind, so that reordering an enum can never change what
 * a file means.
 */
#include "header.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "crc.h"
#include "varint.h"

static const char scope_letters[] = "stmd"; /* in the order of enum metric_scope */

static char unit_letter(enum metric_unit unit)
{
	switch (unit) {
	case METRIC_UNIT_BYTES:
		return 'b';
	case METRIC_UNIT_MS:
		return 'm';
	case METRIC_UNIT_US:
		return 'u';
	case METRIC_UNIT_COUNT:
		return 'c';
	}
	abort();
}

static char kind_letter(enum metric_kind kind)
{
	return kind == METRIC_KIND_COUNTER ? 'c' : 'g';
}

void header_fini(struct header *header)
{
	run_free(header->run);
	for (int scope = 0; scope < METRIC_SCOPE_COUNT; scope++)
		free(header->scopes[scope].list);
	memset(header, 0, sizeof *header);
}

static void column_add(struct columns *columns, int metric, bool is_size)
{
	MEM_GROW(columns->list, columns->count, columns->capacity);
	columns->list[columns->count++] = (struct column){metric, is_size};
}

void header_own_columns(struct header *header)
{
	for (int scope = 0; scope < METRIC_SCOPE_COUNT; scope++) {
		size_t count;
		const struct metric *table = metric_table((enum metric_scope)scope, &count);
		for (size_t i = 0; i < count; i++)
			column_add(&header->scopes[scope], (int)i, table[i].unit == METRIC_UNIT_BYTES);
	}
}

size_t skippable_begin(struct buf *out, uint32_t magic)
{
	put_u32(out, magic);
	size_t begun_at = out->len;
	put_u32(out, 0);
	return begun_at;
}

void skippable_finish(struct buf *out, size_t begun_at)
{
	uint32_t size = (uint32_t)(out->len - begun_at - 4);
	for (int i = 0; i < 4; i++)
		out->data[begun_at + (size_t)i] = (char)(size >> 8 * i);
}

/* Encoding */

static void field_text(struct buf *out, enum format_field tag, const char *text)
{
	if (!text)
		return;
	put_varint(out, tag);
	put_bytes(out, text, strlen(text));
}

static void field_number(struct buf *out, enum format_field tag, uint64_t number)
{
	struct buf value = {0};
	put_varint(&value, number);
	put_varint(out, tag);
	put_bytes(out, value.data, value.len);
	buf_fini(&value);
}

static void field_bytes(struct buf *out, enum format_field tag, struct buf *value)
{
	put_varint(out, tag);
	put_bytes(out, value->data, value->len);
	buf_clear(value);
}

static void encode_lists(struct buf *out, const struct run *run)
{
	struct buf value = {0};
	for (size_t i = 0; i < run->n_labels; i++) {
		buf_add_format(&value, "%s=%s", run->labels[i].key, run->labels[i].value);
		field_bytes(out, FIELD_LABEL, &value);
	}
	for (size_t i = 0; i < run->n_sources; i++) {
		const struct run_source *source = &run->sources[i];
		buf_add(&value, source->name, strlen(source->name) + 1);
		buf_add_string(&value, source->status ? source->status : "");
		if (source->remedy) {
			buf_add_byte(&value, 0);
			buf_add_string(&value, source->remedy);
		}
		field_bytes(out, FIELD_SOURCE, &value);
	}
	for (size_t i = 0; i < run->n_alerts; i++)
		field_text(out, FIELD_ALERT, run->alerts[i]);
	for (int scope = 0; scope < METRIC_SCOPE_COUNT; scope++) {
		size_t count;
		const struct metric *table = metric_table((enum metric_scope)scope, &count);
		for (size_t i = 0; i < count; i++) {
			buf_add_format(&value, "%c%c%c%s", scope_letters[scope], unit_letter(table[i].unit),
				       kind_letter(table[i].kind), table[i].key);
			field_bytes(out, FIELD_COLUMN, &value);
		}
	}
	buf_fini(&value);
}

void header_encode(struct buf *out, const struct run *run, bool command_lines)
{
	size_t begun_at = skippable_begin(out, FORMAT_MAGIC_HEADER);
	size_t content_at = out->len;
	buf_add(out, FORMAT_HEADER_MARK, FORMAT_MARK_SIZE);
	put_varint(out, FORMAT_VERSION);
	field_text(out, FIELD_RUN_ID, run->id);
	field_number(out, FIELD_MODE, run->mode);
	field_text(out, FIELD_TOOL_VERSION, run->tool_version);
	for (char **word = run->command; command_lines && word && *word; word++)
		field_text(out, FIELD_COMMAND_WORD, *word);
	field_text(out, FIELD_WORKDIR, run->workdir);
	field_text(out, FIELD_VCS_COMMIT, run->vcs_commit);
	if (run->vcs_dirty >= 0)
		field_number(out, FIELD_VCS_DIRTY, run->vcs_dirty > 0);
	field_text(out, FIELD_HOST, run->host);
	field_text(out, FIELD_KERNEL, run->kernel);
	field_text(out, FIELD_MACHINE, run->machine);
	field_text(out, FIELD_BOOT_ID, run->boot_id);
	field_number(out, FIELD_CPUS, run->cpus);
	field_number(out, FIELD_TICKS_PER_S, run->ticks_per_s);
	field_number(out, FIELD_MEMORY_TOTAL, run->memory_total_bytes);
	field_number(out, FIELD_PAGE_BYTES, run->page_bytes);
	field_number(out, FIELD_START_WALL, zigzag((uint64_t)run->start_wall_ns));
	field_number(out, FIELD_START_MONO, zigzag((uint64_t)run->start_mono_ns));
	field_number(out, FIELD_INTERVAL, (uint64_t)run->interval_ns);
	field_number(out, FIELD_LOOK_INTERVAL, (uint64_t)run->look_interval_ns);
	encode_lists(out, run);
	put_u32(out, crc32_of(out->data + content_at, out->len - content_at));
	skippable_finish(out, begun_at);
}

/* Decoding */

static void text_set(char **text, const struct scan *value)
{
	free(*text);
	*text = mem_dup_n((const char *)value->at, scan_left(value));
}

static void command_add(struct run *run, const struct scan *value, size_t *count, size_t *capacity)
{
	if (*count + 1 >= *capacity) {
		*capacity = *capacity * 2 + 8;
		run->command = mem_resize(run->command, *capacity, sizeof *run->command);
	}
	run->command[(*count)++] = mem_dup_n((const char *)value->at, scan_left(value));
	run->command[*count] = NULL;
}

static void label_decode(struct run *run, const struct scan *value)
{
	char *text = mem_dup_n((const char *)value->at, scan_left(value));
	char *equals = strchr(text, '=');
	if (equals) {
		*equals = '\0';
		run_add_label(run, text, equals + 1);
	}
	free(text);
}

static void alert_decode(struct run *run, const struct scan *value)
{
	char *text = mem_dup_n((const char *)value->at, scan_left(value));
	run_add_alert(run, text);
	free(text);
}

static void source_decode(struct run *run, const struct scan *value)
{
	char *text = mem_dup_n((const char *)value->at, scan_left(value));
	const char *end = text + scan_left(value);
	const char *status = text + strlen(text) + 1;
	if (status <= end) {
		const char *remedy = status + strlen(status) + 1;
		run_set_source(run, text, status, remedy <= end ? remedy : NULL);
	}
	free(text);
}

static void column_decode(struct header *header, struct scan *value)
{
	const uint8_t *letters = get_raw(value, 3);
	const char *scope = letters && letters[0] ? strchr(scope_letters, letters[0]) : NULL;
	if (!scope)
		return; /* a scope of the future: its rows will be in records or bytes that we do not read */
	struct columns *columns = &header->scopes[scope - scope_letters];
	enum metric_scope number = (enum metric_scope)(scope - scope_letters);
	char *key = mem_dup_n((const char *)value->at, scan_left(value));
	int found = metric_find(number, key);
	free(key);
	if (found >= 0) {
		size_t count;
		const struct metric *metric = &metric_table(number, &count)[found];
		if (unit_letter(metric->unit) != letters[1] || kind_letter(metric->kind) != letters[2])
			found = COLUMN_UNKNOWN;
	}
	column_add(columns, found >= 0 ? found : COLUMN_UNKNOWN, letters[1] == 'b');
}

static char **text_field(struct run *run, uint64_t tag)
{
	switch (tag) {
	case FIELD_TOOL_VERSION:
		return &run->tool_version;
	case FIELD_WORKDIR:
		return &run->workdir;
	case FIELD_VCS_COMMIT:
		return &run->vcs_commit;
	case FIELD_HOST:
		return &run->host;
	case FIELD_KERNEL:
		return &run->kernel;
	case FIELD_MACHINE:
		return &run->machine;
	case FIELD_BOOT_ID:
		return &run->boot_id;
	default:
		return NULL;
	}
}

static void number_decode(struct run *run, uint64_t tag, struct scan *value)
{
	switch (tag) {
	case FIELD_MODE:
		run->mode = (enum run_mode)get_bounded(value, RUN_MACHINE);
		break;
	case FIELD_VCS_DIRTY:
		run->vcs_dirty = (int)get_bounded(value, 1);
		break;
	case FIELD_CPUS:
		run->cpus = (uint32_t)get_bounded(value, UINT32_MAX);
		break;
	case FIELD_TICKS_PER_S:
		run->ticks_per_s = (uint32_t)get_bounded(value, UINT32_MAX);
		break;
	case FIELD_MEMORY_TOTAL:
		run->memory_total_bytes = get_varint(value);
		break;
	case FIELD_PAGE_BYTES:
		run->page_bytes = get_varint(value);
		break;
	case FIELD_START_WALL:
		run->start_wall_ns = get_signed(value);
		break;
	case FIELD_START_MONO:
		run->start_mono_ns = get_signed(value);
		break;
	case FIELD_INTERVAL:
		run->interval_ns = (int64_t)get_bounded(value, INT64_MAX);
		break;
	case FIELD_LOOK_INTERVAL:
		run->look_interval_ns = (int64_t)get_bounded(value, INT64_MAX);
		break;
	default:
		break;
	}
}

static void field_decode(struct header *header, uint64_t tag, struct scan *value, size_t *words,
			 size_t *capacity)
{
	struct run *run = header->run;
	char **text = text_field(run, tag);
	size_t len = scan_left(value);
	if (text)
		text_set(text, value);
	else if (tag == FIELD_RUN_ID && len < sizeof run->id)
		memcpy(run->id, value->at, len);
	else if (tag == FIELD_COMMAND_WORD)
		command_add(run, value, words, capacity);
	else if (tag == FIELD_LABEL)
		label_decode(run, value);
	else if (tag == FIELD_SOURCE)
		source_decode(run, value);
	else if (tag == FIELD_ALERT)
		alert_decode(run, value);
	else if (tag == FIELD_COLUMN)
		column_decode(header, value);
	else
		number_decode(run, tag, value);
}

int header_decode(struct header *header, const void *content, size_t len, struct why *why)
{
	header->run = run_new();
	if (len < FORMAT_MARK_SIZE + FORMAT_CRC_SIZE ||
	    memcmp(content, FORMAT_HEADER_MARK, FORMAT_MARK_SIZE) != 0)
		return why_set(why, -EBADMSG, "not a recording of buildtop");
	size_t checked = len - FORMAT_CRC_SIZE;
	if (crc32_of(content, checked) != u32_at((const char *)content + checked))
		return why_set(why, -EBADMSG, "the header of the recording is damaged");
	struct scan scan = scan_of((const char *)content + FORMAT_MARK_SIZE, checked - FORMAT_MARK_SIZE);
	uint64_t version = get_varint(&scan);
	if (version != FORMAT_VERSION)
		return why_set(why, -ENOTSUP, "a recording of format %llu; this program reads format %d",
			       (unsigned long long)version, FORMAT_VERSION);
	size_t words = 0, capacity = 0;
	while (scan_left(&scan) > 0) {
		uint64_t tag = get_varint(&scan);
		size_t field_len;
		const uint8_t *bytes = get_bytes(&scan, LIMIT_HEADER_BYTES, &field_len);
		struct scan value = scan_of(bytes, field_len);
		if (!scan.bad)
			field_decode(header, tag, &value, &words, &capacity);
		if (scan.bad || value.bad)
			return why_set(why, -EBADMSG, "the header of the recording is damaged (field %llu)",
				       (unsigned long long)tag);
	}
	for (int scope = 0; scope < METRIC_SCOPE_COUNT; scope++)
		if (header->scopes[scope].count > LIMIT_COLUMNS)
			return why_set(why, -EBADMSG,
				       "the header of the recording names %zu metrics; at most %u are read",
				       header->scopes[scope].count, LIMIT_COLUMNS);
	return 0;
}

/* The end of the run */

enum end_flag { END_COMPLETE = 1 << 0, END_KNOWN = 1 << 1, END_INTERRUPTED = 1 << 2 };

void end_encode(struct buf *out, const struct run_end *end)
{
	put_varint(out, (end->complete ? END_COMPLETE : 0u) | (end->known ? END_KNOWN : 0u) |
				(end->interrupted ? END_INTERRUPTED : 0u));
	put_signed(out, end->status);
	put_signed(out, end->signal);
	put_signed(out, end->mono_ns);
	put_signed(out, end->wall_ns);
	put_number(out, end->user_us, METRIC_NA);
	put_number(out, end->system_us, METRIC_NA);
	put_number(out, end->max_rss_bytes, METRIC_NA);
	if (end->left_behind)
		buf_add_byte(out, 1), put_bytes(out, end->left_behind, strlen(end->left_behind));
	else
		buf_add_byte(out, 0);
}

static int small_int(struct scan *scan)
{
	int64_t number = get_signed(scan);
	if (number < INT_MIN || number > INT_MAX)
		scan->bad = true;
	return (int)number;
}

int end_decode(struct run_end *end, const void *payload, size_t len)
{
	struct scan scan = scan_of(payload, len);
	uint64_t flags = get_varint(&scan);
	struct run_end read = {.complete = flags & END_COMPLETE,
			       .known = flags & END_KNOWN,
			       .interrupted = flags & END_INTERRUPTED};
	read.status = small_int(&scan);
	read.signal = small_int(&scan);
	read.mono_ns = get_signed(&scan);
	read.wall_ns = get_signed(&scan);
	read.user_us = get_number(&scan, METRIC_NA);
	read.system_us = get_number(&scan, METRIC_NA);
	read.max_rss_bytes = get_number(&scan, METRIC_NA);
	size_t left_len = 0;
	const uint8_t *left = get_byte(&scan) ? get_bytes(&scan, LIMIT_STRING_BYTES, &left_len) : NULL;
	if (scan.bad)
		return -EBADMSG;
	if (left)
		read.left_behind = mem_dup_n((const char *)left, left_len);
	run_end_fini(end);
	*end = read;
	return 0;
}
