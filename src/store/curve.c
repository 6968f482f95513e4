/* SPDX-License-Identifier: MIT
 *
 * Pieces in order of time. No file, no unit. One thread.
 */
#include "curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "model/metric.h"

void curve_fini(struct curve *curve)
{
	free(curve->pieces);
	*curve = (struct curve){0};
}

void curve_add(struct curve *curve, int64_t from_s, int64_t to_s, double amount)
{
	const struct curve_piece *last = curve->n > 0 ? &curve->pieces[curve->n - 1] : NULL;
	double before = last != NULL ? last->before + last->amount : 0;
	if (to_s <= from_s || (last != NULL && from_s < last->to_s))
		return;
	MEM_GROW(curve->pieces, curve->n, curve->cap);
	curve->pieces[curve->n++] = (struct curve_piece){from_s, to_s, before, amount > 0 ? amount : 0};
}

uint64_t curve_count(struct curve *curve, int64_t wall_ns, double factor)
{
	double seconds = (double)(wall_ns / NS_PER_S) + (double)(wall_ns % NS_PER_S) / NS_PER_S;
	while (curve->at + 1 < curve->n && (double)curve->pieces[curve->at + 1].from_s <= seconds)
		curve->at++;
	if (curve->n == 0 || seconds < (double)curve->pieces[0].from_s)
		return METRIC_NA;
	const struct curve_piece *piece = &curve->pieces[curve->at];
	double part = (seconds - (double)piece->from_s) / (double)(piece->to_s - piece->from_s);
	double count = factor * (piece->before + piece->amount * fmin(part, 1));
	return count < 0x1p53 ? (uint64_t)llround(count) : METRIC_NA;
}
