/* SPDX-License-Identifier: MIT
 *
 * The processes of the build: who runs, who waits, and for what.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "panel.h"

enum column { PID, CPU, STATE, WAITS, SINCE, READ, WRITE, RSS, TIME, AGE, THREADS, COLUMNS };

static const struct {
	const char *title;
	int width;	/* negative: right-aligned */
	int from_width; /* of the screen, from which it is shown */
	int sort;	/* the order it stands for; -1: none */
} columns[COLUMNS] = {
	[PID] = {"PID", -7, 0, TASKLIST_BY_PID},
	[CPU] = {"CPU %", -6, 0, TASKLIST_BY_CPU},
	[STATE] = {"S", -2, 24, -1},
	[WAITS] = {" WAITS FOR", 19, 40, TASKLIST_BY_WAIT},
	[SINCE] = {"SINCE", -7, 60, -1},
	[READ] = {"READ/s", -7, 110, -1},
	[WRITE] = {"WRITE/s", -8, 60, TASKLIST_BY_WRITE},
	[RSS] = {"RSS", -6, 60, TASKLIST_BY_RSS},
	[TIME] = {"CPU s", -7, 90, -1},
	[AGE] = {"AGE", -8, 90, TASKLIST_BY_AGE},
	[THREADS] = {"THR", -5, 110, -1},
};

/* What it is stalled on now; over the interval it may have done other things more. */
static enum cause stalled_cause(const struct tick_task *task)
{
	enum cause most = CAUSE_BLOCKED;

	for (enum cause c = 0; c < CAUSE_COUNT; c++)
		if (cause_table[c].stall != CAUSE_STALL_NONE && task->cause_s[c] > task->cause_s[most])
			most = c;
	return most;
}

static const char *doing_words(const struct tick_task *task)
{
	switch (task->doing) {
	case TICK_RUNNING:
		return "";
	case TICK_QUEUED:
		return "a CPU";
	case TICK_STALLED:
		return cause_table[stalled_cause(task)].label;
	case TICK_CHILD:
		return "a child";
	case TICK_PIPE:
		return "a pipe";
	case TICK_POLL:
		return "events, network";
	case TICK_SLEEP:
		return "a timer";
	case TICK_LOCKED:
		return "a lock";
	case TICK_STOPPED:
		return "stopped";
	case TICK_ZOMBIE:
		return "(ended, not reaped)";
	case TICK_ENDED:
		return "(ended)";
	case TICK_UNKNOWN:
		break;
	}
	return "?";
}

static attr_t doing_attr(const struct tick_task *task)
{
	if (task->doing == TICK_STALLED)
		return theme(theme_cause(stalled_cause(task))) | A_BOLD;
	return theme(task->doing == TICK_QUEUED ? theme_cause(CAUSE_RUNQUEUE) : THEME_DIM);
}

static void draw_titles(struct view *view, struct box box)
{
	struct pen pen = pen_at(box, 0);
	char title[160], filter[64];

	for (int c = 0; c < COLUMNS; c++) {
		bool sorted = columns[c].sort == (int)view->sort;

		if (view->columns >= columns[c].from_width)
			pen_field(&pen, theme(THEME_LABEL) | (sorted ? A_BOLD | A_UNDERLINE : 0),
				  columns[c].width, columns[c].title);
	}
	text_clean_string(filter, sizeof filter, view->filter);
	if (*filter)
		snprintf(title, sizeof title, " COMMAND %zu, only %s", view->tasks.n, filter);
	else
		snprintf(title, sizeof title, " COMMAND %zu%s%s", view->tasks.n,
			 view->shape == TASKLIST_FLAT ? "" : ", ",
			 view->shape == TASKLIST_FLAT ? "" : tasklist_shape_name(view->shape));
	pen_text(&pen, theme(THEME_LABEL), title);
}

static void draw_number(struct pen *pen, enum column c, const char *text)
{
	pen_field(pen, theme(THEME_TEXT), columns[c].width, text);
}

static const char *rate_text(char *out, double bytes_per_s)
{
	return bytes_per_s >= 1 ? units_bytes_short(out, (uint64_t)bytes_per_s) : "";
}

static void since_text(const struct view *view, char *out, size_t size, size_t task)
{
	double seconds;
	bool more;
	char time[UNITS_SIZE];

	if (since_seconds(&view->since, view->shown, task, &seconds, &more))
		snprintf(out, size, "%s%s", more ? ">" : "", units_elapsed(time, seconds));
}

static void draw_column(const struct view *view, struct pen *pen, enum column c,
			const struct tasklist_row *row)
{
	const struct sample *sample = view->shown->sample;
	const struct task_row *task = &sample->tasks[row->task];
	const struct tick_task *think = &view->shown->tasks[row->task];
	char text[UNITS_SIZE + 8] = "";

	switch (c) {
	case PID:
		if (row->count > 1)
			snprintf(text, sizeof text, "%s%u", draw_glyph(DRAW_TIMES), row->count);
		else
			snprintf(text, sizeof text, "%d", task->pid);
		break;
	case CPU:
		if (row->cpu >= 0.0005)
			snprintf(text, sizeof text, "%.1f", row->cpu * 100);
		break;
	case STATE:
		snprintf(text, sizeof text, "%c",
			 task->state > ' ' && task->state < 0x7f ? task->state : '?');
		break;
	case WAITS:
		pen_skip(pen, 1);
		pen_field(pen, doing_attr(think), columns[WAITS].width - 1, doing_words(think));
		return;
	case READ:
		draw_number(pen, c, rate_text(text, row->read_bytes_per_s));
		return;
	case WRITE:
		draw_number(pen, c, rate_text(text, row->write_bytes_per_s));
		return;
	case RSS:
		if (row->rss_bytes != METRIC_NA)
			units_bytes_short(text, row->rss_bytes);
		break;
	case THREADS:
		if (task->values[METRIC_TASK_THREADS] != METRIC_NA)
			snprintf(text, sizeof text, "%u", (unsigned)task->values[METRIC_TASK_THREADS]);
		break;
	case SINCE:
		if (row->count == 1)
			since_text(view, text, sizeof text, row->task);
		break;
	case TIME:
		if (task->values[METRIC_TASK_USER_MS] != METRIC_NA && row->count == 1)
			snprintf(text, sizeof text, "%.1f",
				 (double)(task->values[METRIC_TASK_USER_MS] +
					  task->values[METRIC_TASK_SYSTEM_MS]) /
					 1000);
		break;
	case AGE:
		if (row->age_s >= 0)
			units_elapsed(text, row->age_s);
		break;
	case COLUMNS:
		break;
	}
	draw_number(pen, c, text);
}

static void draw_branches(struct pen *pen, const struct tasklist_row *row)
{
	for (unsigned d = 1; d <= row->depth; d++) {
		bool last = row->last & 1U << d;

		if (d == row->depth)
			pen_text(pen, theme(THEME_DIM), draw_glyph(last ? DRAW_LAST_BRANCH : DRAW_BRANCH));
		else
			pen_text(pen, theme(THEME_DIM), last ? "  " : draw_glyph(DRAW_STEM));
	}
}

static void draw_task(struct view *view, struct pen pen, const struct tasklist_row *row)
{
	const struct sample *sample = view->shown->sample;
	const struct task_row *task = &sample->tasks[row->task];
	char command[512];

	for (int c = 0; c < COLUMNS; c++)
		if (view->columns >= columns[c].from_width)
			draw_column(view, &pen, (enum column)c, row);
	pen_skip(&pen, 1);
	if (view->shape == TASKLIST_COMMANDS)
		text_clean_string(command, sizeof command, sample_string(sample, task->comm, NULL));
	else
		tasklist_command(command, sizeof command, sample, task);
	if (view->shape == TASKLIST_TREE)
		draw_branches(&pen, row);
	pen_field(&pen, theme(task->flags & TASK_ORPHAN ? THEME_WARN : THEME_TEXT), pen_left(&pen), command);
}

static void draw(struct view *view, struct box box)
{
	size_t shown = box.h > 1 ? (size_t)box.h - 1 : 0;

	if (box.h == 0)
		return;
	if (!view->shown) {
		if (view->run && view_is_held(view))
			panel_not_kept(box);
		return;
	}
	draw_titles(view, box);
	if (view->task_scroll + shown > view->tasks.n)
		view->task_scroll = view->tasks.n > shown ? view->tasks.n - shown : 0;
	for (size_t i = 0; i < shown && view->task_scroll + i < view->tasks.n; i++)
		draw_task(view, pen_at(box, (int)i + 1), &view->tasks.rows[view->task_scroll + i]);
}

const struct panel panel_tasks = {"tasks", draw};
