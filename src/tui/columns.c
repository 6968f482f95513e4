/* SPDX-License-Identifier: MIT
 *
 * A brief covers the slots from the end of the one before it to its own; when samples were missed in between,
 * only the last of these is known. CPU and pressure are means, bytes are peaks: what touched the limit for a
 * moment must not be averaged away. Knows nothing of terminals.
 */
#include "columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void columns_fini(struct columns *columns)
{
	free(columns->column);
	*columns = (struct columns){0};
}

static float mean(float so_far, float value, unsigned n)
{
	if (isnan(value))
		return so_far;
	return isnan(so_far) ? value : so_far + (value - so_far) / (float)n;
}

static void raise_to(uint64_t *peak, uint64_t value)
{
	if (value != METRIC_NA && (*peak == METRIC_NA || value > *peak))
		*peak = value;
}

static void merge_bytes(struct brief *into, const struct brief *brief)
{
	uint64_t both = into->dirty_bytes == METRIC_NA ? 0 : into->dirty_bytes + into->writeback_bytes;

	/* Together, as they were at one moment: the two make one height. */
	if (brief->dirty_bytes != METRIC_NA && brief->dirty_bytes + brief->writeback_bytes >= both) {
		into->dirty_bytes = brief->dirty_bytes;
		into->writeback_bytes = brief->writeback_bytes;
	}
	raise_to(&into->page_cache_bytes, brief->page_cache_bytes);
	into->threshold_bytes = brief->threshold_bytes;
	into->background_bytes = brief->background_bytes;
}

/* The class counted most; CAUSE_NONE only when nothing else was. */
static uint8_t most_of(const uint16_t *counts)
{
	enum cause best = CAUSE_NONE;

	for (enum cause c = 0; c < CAUSE_COUNT; c++)
		if (counts[c] && (best == CAUSE_NONE || counts[c] > counts[best]))
			best = c;
	return (uint8_t)best;
}

static void merge(struct columns_cell *column, const struct brief *brief)
{
	struct brief *into = &column->brief;
	uint16_t *stalled = &column->stalled[brief->cause < CAUSE_COUNT ? brief->cause : CAUSE_NONE];
	uint16_t *busiest = &column->busiest[brief->busiest < CAUSE_COUNT ? brief->busiest : CAUSE_NONE];

	*stalled += *stalled < UINT16_MAX;
	*busiest += *busiest < UINT16_MAX;
	if (column->n++ == 0) {
		*into = *brief;
		return;
	}
	into->mono_ns = brief->mono_ns;
	into->interval_s = fmaxf(into->interval_s, brief->interval_s);
	into->cpus_busy = mean(into->cpus_busy, brief->cpus_busy, column->n);
	into->build_cpus = mean(into->build_cpus, brief->build_cpus, column->n);
	into->share = mean(into->share, brief->share, column->n);
	into->psi_cpu = mean(into->psi_cpu, brief->psi_cpu, column->n);
	into->psi_io = mean(into->psi_io, brief->psi_io, column->n);
	into->psi_memory = mean(into->psi_memory, brief->psi_memory, column->n);
	into->tmpfs_used = fmaxf(into->tmpfs_used, brief->tmpfs_used);
	merge_bytes(into, brief);
	into->tasks = brief->tasks;
	into->flags |= brief->flags;
	into->cause = most_of(column->stalled);
	into->busiest = column->busiest[CAUSE_NONE] * 2 > column->n ? CAUSE_NONE : most_of(column->busiest);
}

static void merge_all(struct columns *columns)
{
	const uint32_t holes = SAMPLE_GAP | SAMPLE_LOST | SAMPLE_SUSPENDED;
	const struct timeline *timeline = columns->timeline;
	const struct graph_clock *clock = &columns->clock;
	int64_t end = columns->first + (int64_t)columns->n;
	size_t i = columns->merged;

	for (; i < timeline->n_briefs; i++) {
		const struct brief *brief = &timeline->briefs[i];
		int64_t slot = graph_slot(clock, brief->mono_ns);
		int64_t before = i > 0 ? graph_slot(clock, brief[-1].mono_ns) : slot - 1;

		if (before >= end)
			break;
		for (int64_t s = before + 1 > columns->first ? before + 1 : columns->first;
		     s < slot && s < end; s++) {
			struct columns_cell *column = &columns->column[s - columns->first];

			if (brief->flags & holes || slot - before > 2)
				column->gap = true;
			else
				merge(column, brief);
		}
		if (slot >= columns->first && slot < end)
			merge(&columns->column[slot - columns->first], brief);
	}
	columns->merged = i;
}

static bool same_clock(const struct graph_clock *a, const struct graph_clock *b)
{
	return a->origin_ns == b->origin_ns && a->interval_ns == b->interval_ns && a->slots == b->slots;
}

void columns_update(struct columns *columns, const struct timeline *timeline, const struct graph_clock *clock,
		    int64_t first, size_t n)
{
	if (columns->timeline != timeline || columns->n != n || columns->first != first ||
	    !same_clock(&columns->clock, clock) || columns->merged > timeline->n_briefs) {
		if (n > columns->cap) {
			free(columns->column);
			columns->column = mem_alloc(n, sizeof *columns->column);
			columns->cap = n;
		}
		if (n)
			memset(columns->column, 0, n * sizeof *columns->column);
		columns->n = n;
		columns->first = first;
		columns->clock = *clock;
		columns->timeline = timeline;
		columns->merged = timeline_at(timeline, graph_slot_start_ns(clock, first));
	}
	merge_all(columns);
}

const struct brief *columns_at(const struct columns *columns, size_t i)
{
	return i < columns->n && columns->column[i].n ? &columns->column[i].brief : NULL;
}

bool columns_gap(const struct columns *columns, size_t i)
{
	return i < columns->n && columns->column[i].gap && columns->column[i].n == 0;
}
