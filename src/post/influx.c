/* SPDX-License-Identifier: MIT
 *
 * InfluxDB's line protocol, as VictoriaMetrics, QuestDB and Telegraf take it too. A line for the build and
 * one for each cause, mount and command, at the time of the build's end; a line for each stall, at its start.
 * The same document gives the same bytes, so to send it again changes nothing. The type of a field never
 * depends on its value. Servers differ in what a backslash in a tag is, but agree on a single one before an
 * ordinary character; others become a slash (and are refused where a user types them).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "format.h"
#include "influx.h"

#define MILLISECOND INT64_C(1000000)

static bool is_bad_backslash(const char *at)
{
	return at[0] == '\\' && (at[1] == '\0' || strchr("\\,= \n\r\t", at[1]) != NULL);
}

static bool takes_label(const char *value)
{
	for (; *value != '\0'; value++) {
		if (is_bad_backslash(value))
			return false;
	}
	return true;
}

void influx_add_tag(struct buf *out, const char *key, const char *value)
{
	buf_add_format(out, ",%s=", key);
	for (; *value != '\0'; value++) {
		unsigned char byte = (unsigned char)*value;
		if (is_bad_backslash(value))
			byte = '/';
		else if (byte < ' ' || byte == 0x7f)
			byte = ' ';
		if (strchr(",= ", byte) != NULL)
			buf_add_byte(out, '\\');
		buf_add_byte(out, byte);
	}
}

static void add_string(struct buf *out, const char *key, const char *value)
{
	if (value[0] == '\0')
		return;
	buf_add_format(out, ",%s=\"", key);
	for (; *value != '\0'; value++) {
		unsigned char byte = (unsigned char)*value;
		if (byte == '"' || byte == '\\')
			buf_add_byte(out, '\\');
		buf_add_byte(out, byte < ' ' || byte == 0x7f ? ' ' : byte);
	}
	buf_add_byte(out, '"');
}

void influx_add_labels(struct buf *out, const struct labels *labels)
{
	for (size_t i = 0; i < labels->count; i++)
		influx_add_tag(out, labels->list[i].key, labels->list[i].value);
}

static void add_field(struct buf *out, const struct figure *figure, bool first)
{
	char text[FIGURE_TEXT_SIZE];
	buf_add_format(out, "%c%s=%s%s", first ? ' ' : ',', figure->kind->name, figure_text(text, figure),
		       figure->is_integer ? "i" : "");
}

static bool same_line(const struct figure *a, const struct figure *b)
{
	return strcmp(a->kind->group, b->kind->group) == 0 &&
	       (a->tag_value == NULL || strcmp(a->tag_value, b->tag_value) == 0);
}

static void add_build_strings(struct buf *out, const json_t *document)
{
	add_string(out, "build_id", document_string(document, "id"));
	add_string(out, "commit", document_string(document, "vcs.commit"));
	add_string(out, "outcome", document_string(document, "exit.outcome"));
	add_string(out, "verdict", document_string(document, "verdict"));
}

static void add_figures(struct buf *out, const json_t *document, const struct labels *labels, bool strings)
{
	struct figures figures;
	long long end_ns = (long long)document_time_ns(document_string(document, "end_time"));
	figures_collect(&figures, document);
	for (size_t i = 0; i < figures.count;) {
		const struct figure *first = &figures.list[i];
		const char *group = first->kind->group;
		buf_add_format(out, "buildtop_build%s%s", group[0] != '\0' ? "_" : "", group);
		influx_add_labels(out, labels);
		if (first->tag_value != NULL)
			influx_add_tag(out, first->kind->tag, first->tag_value);
		for (bool begin = true; i < figures.count && same_line(first, &figures.list[i]); i++) {
			add_field(out, &figures.list[i], begin);
			begin = false;
		}
		if (group[0] == '\0' && strings)
			add_build_strings(out, document);
		buf_add_format(out, " %lld\n", end_ns);
	}
	figures_fini(&figures);
}

/* A millisecond later than the last one of its cause that begins in the same. */
static int64_t free_start_ns(const json_t *episodes, size_t index)
{
	const json_t *episode = json_array_get(episodes, index);
	const char *cause = document_string(episode, "cause"),
		   *start = document_string(episode, "start_time");
	int64_t ns = document_time_ns(start);
	for (size_t i = 0; i < index; i++) {
		const json_t *other = json_array_get(episodes, i);
		if (strcmp(document_string(other, "cause"), cause) == 0 &&
		    strcmp(document_string(other, "start_time"), start) == 0)
			ns += MILLISECOND;
	}
	return ns;
}

static void add_episodes(struct buf *out, const json_t *document, const struct labels *labels, bool strings)
{
	const json_t *episodes = document_at(document, "stalls.episodes");
	for (size_t i = 0; i < json_array_size(episodes); i++) {
		const json_t *episode = json_array_get(episodes, i);
		const json_t *seconds = json_object_get(episode, "duration_seconds");
		const json_t *blocked = json_object_get(episode, "blocked_peak");
		const char *cause = document_string(episode, "cause");
		if (!json_is_number(seconds) || cause[0] == '\0')
			continue;
		static const struct figure_kind kind = {.name = "duration_seconds", .unit = FIGURE_SECONDS};
		struct figure duration = {.kind = &kind, .real = json_number_value(seconds)};
		buf_add_string(out, "buildtop_stall_episode");
		influx_add_labels(out, labels);
		influx_add_tag(out, "cause", cause);
		add_field(out, &duration, true);
		if (json_is_integer(blocked))
			buf_add_format(out, ",blocked_peak=%lldi", (long long)json_integer_value(blocked));
		if (strings)
			add_string(out, "detail", document_string(episode, "detail"));
		buf_add_format(out, " %lld\n", (long long)free_start_ns(episodes, i));
	}
}

/* Without it a server may take the times for what it likes. */
static void set_precision(struct buf *url)
{
	if (strstr(url->data, "precision=") == NULL)
		buf_add_format(url, "%cprecision=ns", strchr(url->data, '?') != NULL ? '&' : '?');
}

void influx_add_url(struct letter_part *part)
{
	set_precision(&part->url);
}

static void write_lines(struct letter *letter, const json_t *document, const char *url, bool strings)
{
	struct letter_part *part = letter_add(letter, "POST", url, "text/plain; charset=utf-8");
	struct labels labels;
	set_precision(&part->url);
	labels_collect(&labels, document);
	add_figures(&part->body, document, &labels, strings);
	add_episodes(&part->body, document, &labels, strings);
}

static void write_all(struct letter *letter, const json_t *document, const char *url)
{
	write_lines(letter, document, url, true);
}

static void write_numbers(struct letter *letter, const json_t *document, const char *url)
{
	write_lines(letter, document, url, false);
}

static const char *partial_write(long status, const char *answer)
{
	return status == 400 && strstr(answer, "partial write") != NULL ? "it took only a part" : NULL;
}

const struct post_format format_influx = {
	.name = "influx",
	.help = "InfluxDB's line protocol",
	.path = "/write",
	.retries_500 = true,
	.takes_label = takes_label,
	.write = write_all,
	.warning = partial_write,
};

const struct post_format format_influx_numeric = {
	.name = "influx-numeric",
	.help = "the same without text fields, for VictoriaMetrics",
	.retries_500 = true,
	.takes_label = takes_label,
	.write = write_numbers,
	.warning = partial_write,
};
