/* SPDX-License-Identifier: MIT
 *
 * Decimal numbers by integer arithmetic. printf() would do but for LC_NUMERIC: a German locale puts a comma
 * where every reader of CSV expects a point. Knows nothing of units. Any thread.
 */
#include "number.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>

void number_add(struct buf *out, double value, unsigned decimals)
{
	assert(decimals <= NUMBER_DECIMALS_MAX);
	uint64_t unit = 1;
	for (unsigned i = 0; i < decimals; i++)
		unit *= 10;
	double scaled = round(fabs(value) * (double)unit);
	if (!(scaled < 9.2e18)) /* NAN and INFINITY too */
		return;
	uint64_t count = (uint64_t)scaled;
	buf_add_format(out, "%s%" PRIu64, value < 0 && count != 0 ? "-" : "", count / unit);
	if (decimals > 0)
		buf_add_format(out, ".%0*" PRIu64, (int)decimals, count % unit);
}
