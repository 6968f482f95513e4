/* SPDX-License-Identifier: MIT
 *
 * Coordinates are those of a picture 1000 wide; the plot begins at LEFT. Colours are classes that the style
 * sheet gives, and lines of one panel differ in their dashes as well. Knows no file. Any thread.
 */
#include "html_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "model/cause.h"
#include "number.h"
#include "words.h"

#define LEFT	  72.0
#define WIDTH	  918.0
#define COLUMNS	  918 /* of the plot: a pixel each */
#define LANES_MAX 48
#define LANE	  11.0

enum unit { UNIT_CPUS, UNIT_BYTES, UNIT_RATE, UNIT_PART };

struct line {
	enum html_value value;
	const char *label, *style;
};

static const struct panel {
	const char *title;
	enum unit unit;
	double height;
	struct line lines[4];
} panels[] = {
	{"CPUs", UNIT_CPUS, 70, {{HTML_CPU_BUSY, "busy", "a1"}, {HTML_CPU_BUILD, "this build", "l2"}}},
	{"dirty pages",
	 UNIT_BYTES,
	 90,
	 {{HTML_DIRTY, "dirty", "a3"},
	  {HTML_WRITEBACK, "writeback", "l2"},
	  {HTML_THRESHOLD, "threshold", "t1"},
	  {HTML_BACKGROUND, "background threshold", "t2"}}},
	{"page cache", UNIT_BYTES, 55, {{HTML_CACHE, "page cache, without tmpfs", "a1"}}},
	{"disks", UNIT_RATE, 60, {{HTML_DISK_WRITE, "written", "a3"}, {HTML_DISK_READ, "read", "l2"}}},
	{"pressure",
	 UNIT_PART,
	 60,
	 {{HTML_PSI_IO, "I/O", "l3"}, {HTML_PSI_CPU, "CPU", "l1"}, {HTML_PSI_MEMORY, "memory", "l2"}}},
	{"tmpfs", UNIT_PART, 45, {{HTML_TMPFS, "the fullest", "a2"}}},
};
#define N_PANELS (sizeof panels / sizeof *panels)
#define N_LINES	 (sizeof panels->lines / sizeof *panels->lines)

void html_escape(struct buf *out, const char *raw, size_t len)
{
	struct buf clean = {0};
	text_clean_add(&clean, raw, len);
	for (size_t i = 0; i < clean.len; i++) {
		switch (clean.data[i]) {
		case '&':
			buf_add_string(out, "&amp;");
			break;
		case '<':
			buf_add_string(out, "&lt;");
			break;
		case '>':
			buf_add_string(out, "&gt;");
			break;
		case '"':
			buf_add_string(out, "&quot;");
			break;
		case '\'':
			buf_add_string(out, "&#39;");
			break;
		default:
			buf_add_byte(out, (unsigned char)clean.data[i]);
		}
	}
	buf_fini(&clean);
}

static double x_of(const struct html_chart *chart, double elapsed_s)
{
	double part = chart->wall_s > 0 ? elapsed_s / chart->wall_s : 0;
	return LEFT + WIDTH * fmin(fmax(part, 0), 1);
}

static void add_at(struct buf *out, char command, double x, double y)
{
	buf_add_byte(out, (unsigned char)command);
	number_add(out, x, 1);
	buf_add_byte(out, ' ');
	number_add(out, y, 1);
}

static void add_rect(struct buf *out, double x, double y, double width, double height)
{
	buf_add_string(out, "<rect x=\"");
	number_add(out, x, 1);
	buf_add_string(out, "\" y=\"");
	number_add(out, y, 1);
	buf_add_string(out, "\" width=\"");
	number_add(out, fmax(width, 0.6), 1);
	buf_add_string(out, "\" height=\"");
	number_add(out, height, 1);
	buf_add_string(out, "\"");
}

static void add_text(struct buf *out, double x, double y, const char *style, const char *text)
{
	buf_add_string(out, "<text x=\"");
	number_add(out, x, 1);
	buf_add_string(out, "\" y=\"");
	number_add(out, y, 1);
	buf_add_format(out, "\" class=\"%s\">%s</text>", style, text);
}

static size_t column_of(const struct html_chart *chart, size_t point)
{
	double x = x_of(chart, (double)chart->points[point].elapsed_s) - LEFT;
	return x < COLUMNS - 1 ? (size_t)x : COLUMNS - 1;
}

/* Lines */

/* A line is left out where it is not available; its ends at such a gap close the area. */
struct pen {
	struct buf *out;
	bool down, area;
	double last_x, bottom;
};

static void pen_up(struct pen *pen)
{
	if (pen->down && pen->area) {
		add_at(pen->out, 'L', pen->last_x, pen->bottom);
		buf_add_byte(pen->out, 'Z');
	}
	pen->down = false;
}

static void pen_to(struct pen *pen, double x, double y)
{
	if (!pen->down && pen->area) {
		add_at(pen->out, 'M', x, pen->bottom);
		add_at(pen->out, 'L', x, y);
	} else {
		add_at(pen->out, pen->down ? 'L' : 'M', x, y);
	}
	pen->down = true;
	pen->last_x = x;
}

/* The points from `first` that share its column; the least and the most of them, in their order of time. */
static size_t take_column(const struct html_chart *chart, enum html_value value, size_t first,
			  size_t found[2], size_t *n_found)
{
	size_t least = SIZE_MAX, most = SIZE_MAX, i = first, column = column_of(chart, first);
	for (; i < chart->n_points && column_of(chart, i) == column; i++) {
		float here = chart->points[i].values[value];
		if (isnan(here))
			continue;
		if (least == SIZE_MAX || here < chart->points[least].values[value])
			least = i;
		if (most == SIZE_MAX || here > chart->points[most].values[value])
			most = i;
	}
	*n_found = least == SIZE_MAX ? 0 : least == most ? 1 : 2;
	found[0] = least < most ? least : most;
	found[1] = least < most ? most : least;
	return i;
}

static void add_line(struct buf *out, const struct html_chart *chart, const struct line *line, double y,
		     double height, double top)
{
	struct pen pen = {.out = out, .area = line->style[0] == 'a', .bottom = y + height};
	buf_add_format(out, "<path class=\"%s\" d=\"", line->style);
	for (size_t i = 0; i < chart->n_points;) {
		size_t found[2], n_found;
		i = take_column(chart, line->value, i, found, &n_found);
		if (n_found == 0)
			pen_up(&pen);
		for (size_t f = 0; f < n_found; f++) {
			const struct html_point *point = &chart->points[found[f]];
			double part = top > 0 ? fmin((double)point->values[line->value] / top, 1) : 0;
			pen_to(&pen, x_of(chart, (double)point->elapsed_s), y + height * (1 - part));
		}
	}
	pen_up(&pen);
	buf_add_string(out, "\"/>");
}

static float most_of(const struct html_chart *chart, enum html_value value)
{
	float most = NAN;
	for (size_t i = 0; i < chart->n_points; i++)
		most = fmaxf(most, chart->points[i].values[value]);
	return most;
}

static bool is_limit(const struct line *line)
{
	return line->style[0] == 't';
}

/* The value at the top. Thresholds far above what was there are told in words and not drawn. */
static double top_of(const struct html_chart *chart, const struct panel *panel, bool *limits)
{
	double most = 0, limit = 0;
	for (size_t i = 0; i < N_LINES && panel->lines[i].label != NULL; i++) {
		double here = (double)most_of(chart, panel->lines[i].value);
		if (is_limit(&panel->lines[i]))
			limit = fmax(limit, here);
		else
			most = fmax(most, here);
	}
	*limits = limit <= 8 * most;
	if (panel->unit == UNIT_CPUS && chart->cpus != 0)
		return fmax(chart->cpus, most);
	if (panel->unit == UNIT_PART)
		return 1;
	return 1.08 * (*limits ? fmax(most, limit) : most);
}

static void tell_value(char *text, size_t size, enum unit unit, double value)
{
	char number[UNITS_SIZE];
	switch (unit) {
	case UNIT_CPUS:
		snprintf(text, size, "%lld.%lld", llround(10 * value) / 10, llround(10 * value) % 10);
		break;
	case UNIT_BYTES:
		snprintf(text, size, "%s", units_bytes(number, (uint64_t)value));
		break;
	case UNIT_RATE:
		snprintf(text, size, "%s", units_rate(number, value));
		break;
	case UNIT_PART:
		snprintf(text, size, "%s", units_percent(number, value));
		break;
	}
}

static void add_legend(struct buf *out, const struct html_chart *chart, const struct panel *panel, double y,
		       bool limits)
{
	double x = LEFT + 90;
	for (size_t i = 0; i < N_LINES && panel->lines[i].label != NULL; i++) {
		const struct line *line = &panel->lines[i];
		double most = (double)most_of(chart, line->value);
		char value[32] = "not available", label[96];
		if (!isnan(most))
			tell_value(value, sizeof value, panel->unit, most);
		snprintf(label, sizeof label, "%s%s%s%s", line->label,
			 isnan(most)	  ? ": "
			 : is_limit(line) ? " "
					  : ", at most ",
			 value, is_limit(line) && !limits && !isnan(most) ? " (far above)" : "");
		buf_add_format(out, "<path class=\"%s key\" d=\"", line->style);
		add_at(out, 'M', x, y - 4);
		add_at(out, 'L', x + 18, y - 4);
		buf_add_string(out, "\"/>");
		add_text(out, x + 22, y, "s", label);
		x += 34 + 5.4 * (double)strlen(label);
	}
}

static double add_panel(struct buf *out, const struct html_chart *chart, const struct panel *panel, double y)
{
	bool limits;
	double top = top_of(chart, panel, &limits);
	char text[32];
	add_text(out, LEFT, y + 11, "h", panel->title);
	add_legend(out, chart, panel, y + 11, limits);
	y += 16;
	buf_add_string(out, "<g>");
	add_rect(out, LEFT, y, WIDTH, panel->height);
	buf_add_string(out, " class=\"f\"/>");
	for (size_t i = 0; i < N_LINES && panel->lines[i].label != NULL; i++) {
		const struct line *line = &panel->lines[i];
		if ((!is_limit(line) || limits) && !isnan(most_of(chart, line->value)))
			add_line(out, chart, line, y, panel->height, top);
	}
	buf_add_string(out, "</g>\n");
	tell_value(text, sizeof text, panel->unit, top);
	add_text(out, LEFT - 5, y + 9, "s e", top > 0 ? text : "");
	add_text(out, LEFT - 5, y + panel->height, "s e", "0");
	return y + panel->height + 8;
}

/* Causes and stalls */

/* The cause of a column is that of its worst tick. */
static void find_causes(const struct html_chart *chart, uint8_t causes[COLUMNS])
{
	float worst[COLUMNS];
	for (size_t i = 0; i < COLUMNS; i++) {
		causes[i] = CAUSE_NONE;
		worst[i] = -1;
	}
	for (size_t i = 0; i < chart->n_points; i++) {
		const struct html_point *point = &chart->points[i];
		if (point->cause >= CAUSE_COUNT)
			continue;
		size_t from = (size_t)(x_of(chart, (double)(point->elapsed_s - point->interval_s)) - LEFT);
		for (size_t c = from; c <= column_of(chart, i); c++) {
			float share = isnan(point->share) ? 0 : point->share;
			if (share > worst[c]) {
				worst[c] = share;
				causes[c] = point->cause;
			}
		}
	}
}

static double add_strip(struct buf *out, const struct html_chart *chart, double y)
{
	uint8_t causes[COLUMNS];
	find_causes(chart, causes);
	add_text(out, LEFT, y + 11, "h", "what held it up");
	double x = LEFT + 110;
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++) {
		if (cause_table[cause].stall == CAUSE_STALL_NONE ||
		    memchr(causes, (int)cause, COLUMNS) == NULL)
			continue;
		char label[64];
		add_rect(out, x, y + 2, 14, 10);
		buf_add_format(out, " class=\"c-%s\"/>", cause_table[cause].key);
		snprintf(label, sizeof label, "%c %s", cause_table[cause].letter, cause_table[cause].label);
		add_text(out, x + 18, y + 11, "s", label);
		x += 34 + 5.6 * (double)strlen(label);
	}
	if (x <= LEFT + 110)
		add_text(out, x, y + 11, "s", "nothing: no stall");
	y += 16;
	add_rect(out, LEFT, y, WIDTH, 18);
	buf_add_string(out, " class=\"f\"/>");
	for (size_t from = 0; from < COLUMNS;) {
		size_t to = from;
		while (to < COLUMNS && causes[to] == causes[from])
			to++;
		if (causes[from] < CAUSE_COUNT) {
			add_rect(out, LEFT + (double)from, y, (double)(to - from), 18);
			buf_add_format(out, " class=\"c-%s\"/>", cause_table[causes[from]].key);
			if (to - from >= 10) {
				char letter[2] = {cause_table[causes[from]].letter, '\0'};
				add_text(out, LEFT + (double)(from + to) / 2, y + 13, "s m k", letter);
			}
		}
		from = to;
	}
	return y + 26;
}

/* Bands through all panels, longest first, each with its words; a click leads to its row. */
static void add_bands(struct buf *out, const struct html_chart *chart, double from_y, double to_y)
{
	for (size_t i = 0; i < chart->n_stalls; i++) {
		const struct stall *stall = &chart->stalls[i];
		double from_s = words_since_start(chart->run, stall->from_ns);
		double x = x_of(chart, from_s), end = x_of(chart, from_s + stall_seconds(stall));
		if (stall->cause >= CAUSE_COUNT)
			continue;
		char at[UNITS_SIZE], length[UNITS_SIZE];
		struct buf words = {0};
		if (!chart->plain)
			buf_add_format(out, "<a href=\"#stall-%u\" data-stall=\"%u\">", stall->number,
				       stall->number);
		add_rect(out, x, from_y, end - x, to_y - from_y);
		buf_add_format(out, " class=\"b c-%s\"><title>", cause_table[stall->cause].key);
		buf_add_format(&words, "%s at %s for %s", cause_table[stall->cause].label,
			       units_elapsed(at, from_s), units_duration(length, stall_seconds(stall)));
		if (stall->device_name[0] != '\0' || stall->filesystem[0] != '\0')
			buf_add_string(&words, " on ");
		words_place(&words, stall);
		buf_add_string(&words, stall->n_victims > 0 ? "; waited: " : "");
		words_victims(&words, stall, 4);
		html_escape(out, words.data, words.len);
		buf_fini(&words);
		buf_add_string(out, chart->plain ? "</title></rect>" : "</title></rect></a>");
	}
	buf_add_byte(out, '\n');
}

/* Tasks */

static double add_tasks(struct buf *out, const struct html_chart *chart, double y)
{
	double lanes[LANES_MAX];
	size_t n_lanes = 0, left_out = 0;
	struct buf bars = {0};
	for (size_t i = 0; i < chart->n_bars; i++) {
		const struct html_bar *bar = &chart->bars[i];
		double x = x_of(chart, (double)bar->from_s);
		double end = fmax(x_of(chart, (double)bar->to_s), x + 0.6);
		size_t lane = 0;
		while (lane < n_lanes && lanes[lane] > x + 0.05)
			lane++;
		if (lane == LANES_MAX) {
			left_out++;
			continue;
		}
		n_lanes = lane == n_lanes ? lane + 1 : n_lanes;
		lanes[lane] = end;
		add_rect(&bars, x, y + 16 + LANE * (double)lane, end - x, LANE - 1.5);
		char from[UNITS_SIZE], length[UNITS_SIZE];
		buf_add_format(&bars, " class=\"g%s\"><title>", bar->ended ? "" : " u");
		html_escape(&bars, bar->name, strlen(bar->name));
		buf_add_format(&bars, " at %s for %s%s</title></rect>",
			       units_elapsed(from, (double)bar->from_s),
			       units_duration(length, (double)(bar->to_s - bar->from_s)),
			       bar->ended ? "" : ", unfinished");
		if (end - x > 60) {
			char clean[64], shown[16 * 4];
			text_clean_string(clean, sizeof clean, bar->name);
			size_t fits = text_fit(clean, (size_t)((end - x) / 5.5), NULL);
			snprintf(shown, sizeof shown, "%.*s", (int)fits, clean);
			struct buf label = {0};
			html_escape(&label, shown, strlen(shown));
			add_text(&bars, x + 3, y + 16 + LANE * (double)lane + 8, "n",
				 label.data != NULL ? label.data : "");
			buf_fini(&label);
		}
	}
	if (n_lanes == 0) {
		buf_fini(&bars);
		return y;
	}
	char note[96] = "";
	if (left_out > 0)
		snprintf(note, sizeof note, "without %zu for which there was no lane", left_out);
	add_text(out, LEFT, y + 11, "h", "the longest tasks");
	add_text(out, LEFT + 110, y + 11, "s", note);
	buf_add(out, bars.data, bars.len);
	buf_fini(&bars);
	return y + 16 + LANE * (double)n_lanes + 8;
}

/* The axis */

static double axis_step(double wall_s)
{
	static const double steps[] = {0.1, 0.2, 0.5, 1,   2,	 5,    10,   15,    30,	  60,
				       120, 300, 600, 900, 1800, 3600, 7200, 18000, 36000};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		if (wall_s / steps[i] <= 11)
			return steps[i];
	}
	return 86400 * ceil(wall_s / 86400 / 10);
}

static void add_axis(struct buf *out, const struct html_chart *chart, double from_y, double to_y)
{
	double step = axis_step(chart->wall_s);
	for (int i = 0; i <= 12 && i * step <= chart->wall_s; i++) {
		char text[UNITS_SIZE];
		double x = x_of(chart, i * step);
		buf_add_string(out, "<path class=\"x\" d=\"");
		add_at(out, 'M', x, from_y);
		add_at(out, 'L', x, to_y);
		buf_add_string(out, "\"/>");
		if (step < 1)
			snprintf(text, sizeof text, "%d.%d s", (int)(i * step),
				 (int)lround(10 * i * step) % 10);
		else
			units_elapsed(text, i * step);
		add_text(out, x, to_y + 12, i == 0 ? "s" : x > LEFT + WIDTH - 20 ? "s e" : "s m", text);
	}
}

void html_chart_add(struct buf *out, const struct html_chart *chart)
{
	struct buf body = {0};
	double y = add_strip(&body, chart, 0), from_y = y - 26;
	for (size_t i = 0; i < N_PANELS; i++) {
		bool there = false;
		for (size_t l = 0; l < N_LINES && panels[i].lines[l].label != NULL; l++)
			there |= !isnan(most_of(chart, panels[i].lines[l].value));
		if (there)
			y = add_panel(&body, chart, &panels[i], y);
	}
	double bands_y = y; /* tasks have words of their own */
	y = add_tasks(&body, chart, y);
	buf_add_format(out, "<svg%s role=\"img\" aria-label=\"Timeline of the run\" viewBox=\"0 0 1000 ",
		       chart->plain ? "" : " id=\"chart\"");
	number_add(out, y + 18, 0);
	buf_add_string(out, "\">\n");
	add_axis(out, chart, from_y, y);
	buf_add(out, body.data, body.len);
	add_bands(out, chart, from_y, bands_y);
	buf_add_string(out, "</svg>\n");
	buf_fini(&body);
}
