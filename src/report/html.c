/* SPDX-License-Identifier: MIT
 *
 * One file that needs nothing else: no network, no font, no library; readable without its script. What is
 * drawn of each tick is kept until the end, and of the tasks those that lasted longest. One thread.
 */
#include "formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "diagnose/tally.h"
#include "html_chart.h"
#include "html_style.h"
#include "html_tables.h"
#include "lives.h"
#include "words.h"

#define BARS_MAX   800
#define STALLS_MAX 400 /* bands */

struct html {
	struct tally *tally;
	struct lives lives;
	struct html_point *points;
	size_t n_points, cap_points;
	struct html_bar *bars;
	size_t n_bars, cap_bars;
};

static float count_value(uint64_t value)
{
	return value == METRIC_NA ? NAN : (float)value;
}

static void point_disks(struct html_point *point, const struct tick *tick)
{
	float *written = &point->values[HTML_DISK_WRITE], *read = &point->values[HTML_DISK_READ];
	*written = *read = NAN;
	for (size_t i = 0; tick->disks != NULL && i < tick->sample->n_disks; i++) {
		float here = (float)tick->disks[i].write_bytes_per_s;
		if (!isnan(here))
			*written = isnan(*written) ? here : *written + here;
		here = (float)tick->disks[i].read_bytes_per_s;
		if (!isnan(here))
			*read = isnan(*read) ? here : *read + here;
	}
}

static void point_add(struct html *html, const struct run *run, const struct tick *tick)
{
	const struct brief *brief = &tick->brief;
	MEM_GROW(html->points, html->n_points, html->cap_points);
	struct html_point *point = &html->points[html->n_points++];
	*point = (struct html_point){
		.elapsed_s = (float)words_since_start(run, tick->sample->mono_ns),
		.interval_s = (float)tick->interval_s,
		.share = (float)tick->share,
		.cause = brief->cause,
		.values = {[HTML_DIRTY] = count_value(tick->sample->system[METRIC_SYSTEM_DIRTY_BYTES]),
			   [HTML_WRITEBACK] =
				   count_value(tick->sample->system[METRIC_SYSTEM_WRITEBACK_BYTES]),
			   [HTML_THRESHOLD] =
				   count_value(tick->sample->system[METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES]),
			   [HTML_BACKGROUND] =
				   count_value(tick->sample->system[METRIC_SYSTEM_DIRTY_BACKGROUND_BYTES]),
			   [HTML_CACHE] = count_value(tick->page_cache_bytes),
			   [HTML_TMPFS] = brief->tmpfs_used},
	};
	const struct {
		enum html_value value;
		double rate;
	} rates[] = {{HTML_CPU_BUSY, tick->cpus_busy},
		     {HTML_CPU_BUILD, tick->build_cpus},
		     {HTML_PSI_CPU, (double)brief->psi_cpu},
		     {HTML_PSI_IO, (double)brief->psi_io},
		     {HTML_PSI_MEMORY, (double)brief->psi_memory}};
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
		point->values[rates[i].value] = tick->interval_s > 0 ? (float)rates[i].rate : NAN;
	point_disks(point, tick);
}

/* Bars */

static int longest_first(const void *a, const void *b)
{
	const struct html_bar *x = a, *y = b;
	float xs = x->to_s - x->from_s, ys = y->to_s - y->from_s;
	return xs != ys ? (xs < ys ? 1 : -1) : (x->from_s > y->from_s) - (x->from_s < y->from_s);
}

static int earliest_first(const void *a, const void *b)
{
	const struct html_bar *x = a, *y = b;
	return x->from_s != y->from_s ? (x->from_s > y->from_s ? 1 : -1) : longest_first(a, b);
}

static void keep_longest(struct html *html)
{
	if (html->n_bars > BARS_MAX) {
		qsort(html->bars, html->n_bars, sizeof *html->bars, longest_first);
		html->n_bars = BARS_MAX;
	}
}

static void bars_add(struct html *html, const struct run *run)
{
	for (size_t i = 0; i < html->lives.n_ended; i++) {
		const struct life *life = &html->lives.ended[i];
		const char *subject = "";
		size_t len = lives_subject(life, &subject);
		MEM_GROW(html->bars, html->n_bars, html->cap_bars);
		struct html_bar *bar = &html->bars[html->n_bars++];
		*bar = (struct html_bar){.from_s = (float)words_since_start(run, life->start_ns),
					 .to_s = (float)words_since_start(run, life->end_ns),
					 .ended = life->ended};
		snprintf(bar->name, sizeof bar->name, "%s%s%.*s", life->comm, len > 0 ? " " : "",
			 len < 44 ? (int)len : 44, subject);
	}
	if (html->n_bars > 4 * BARS_MAX)
		keep_longest(html);
}

/* The document */

static void *html_begin(struct buf *out, const struct run *run)
{
	struct html *html = mem_alloc(1, sizeof *html);
	struct buf title = {0};
	html->tally = tally_new(run);
	buf_add_string(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
			    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
			    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
			    "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>");
	words_title(&title, run, 80);
	html_escape(out, title.data, title.len);
	buf_fini(&title);
	buf_add_string(out, " - buildtop</title>\n<style>\n");
	buf_add_string(out, html_style);
	buf_add_string(out, "</style></head><body>\n");
	return html;
}

static void html_tick(struct buf *out, const struct run *run, const struct tick *tick, void *state)
{
	struct html *html = state;
	(void)out;
	tally_add(html->tally, tick, 0);
	point_add(html, run, tick);
	lives_add(&html->lives, run, tick);
	bars_add(html, run);
}

static void add_body(struct buf *out, const struct run *run, const struct run_end *end, struct html *html)
{
	struct summary summary;
	tally_summary(html->tally, end, &summary);
	struct html_chart chart = {.run = run,
				   .wall_s = summary.wall_s,
				   .cpus = run->cpus,
				   .points = html->points,
				   .n_points = html->n_points,
				   .stalls = summary.stalls,
				   .n_stalls = summary.n_stalls < STALLS_MAX ? summary.n_stalls : STALLS_MAX,
				   .bars = html->bars,
				   .n_bars = html->n_bars};
	html_head_add(out, &summary);
	html_chart_add(out, &chart);
	html_tables_add(out, &summary);
	summary_fini(&summary);
	buf_add_string(out, "<p class=\"note\">buildtop ");
	html_escape(out, run->tool_version != NULL ? run->tool_version : "",
		    run->tool_version != NULL ? strlen(run->tool_version) : 0);
	buf_add_format(out, "; run %.36s</p>\n<script>\n%s</script>\n</body></html>\n", run->id, html_script);
}

static void html_end(struct buf *out, const struct run *run, const struct run_end *end, void *state)
{
	struct html *html = state;
	lives_end(&html->lives);
	bars_add(html, run);
	keep_longest(html);
	if (html->n_bars > 0)
		qsort(html->bars, html->n_bars, sizeof *html->bars, earliest_first);
	add_body(out, run, end, html);
	tally_free(html->tally);
	lives_fini(&html->lives);
	free(html->points);
	free(html->bars);
	free(html);
}

const struct report_format report_html = {
	.name = "html",
	.help = "one self-contained page: the timeline, stalls, tasks, tables",
	.single = true,
	.begin = html_begin,
	.tick = html_tick,
	.end = html_end,
};

/* The timeline alone, to stand beside those of other runs. */

static void *timeline_begin(struct buf *out, const struct run *run)
{
	struct html *html = mem_alloc(1, sizeof *html);
	(void)out;
	html->tally = tally_new(run);
	return html;
}

static void timeline_tick(struct buf *out, const struct run *run, const struct tick *tick, void *state)
{
	struct html *html = state;
	(void)out;
	tally_add(html->tally, tick, 0);
	point_add(html, run, tick);
}

static void timeline_end(struct buf *out, const struct run *run, const struct run_end *end, void *state)
{
	struct html *html = state;
	struct summary summary;
	tally_summary(html->tally, end, &summary);
	html_chart_add(out, &(struct html_chart){.run = run,
						 .wall_s = summary.wall_s,
						 .cpus = run->cpus,
						 .points = html->points,
						 .n_points = html->n_points,
						 .stalls = summary.stalls,
						 .n_stalls = summary.n_stalls < STALLS_MAX ? summary.n_stalls
											   : STALLS_MAX,
						 .plain = true});
	summary_fini(&summary);
	tally_free(html->tally);
	free(html->points);
	free(html);
}

const struct report_format report_timeline = {
	.name = "timeline",
	.help = "the timeline of html alone, as SVG",
	.single = true,
	.begin = timeline_begin,
	.tick = timeline_tick,
	.end = timeline_end,
};
