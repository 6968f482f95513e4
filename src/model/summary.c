/* SPDX-License-Identifier: MIT
 *
 * The summary's storage. The run it speaks of is borrowed.
 */
#include "model/summary.h"

#include <stdlib.h>

void summary_fini(struct summary *summary)
{
	for (size_t i = 0; i < summary->n_tmpfs; i++)
		free(summary->tmpfs[i].mount);
	free(summary->tmpfs);
	free(summary->disk.mount);
	for (size_t i = 0; i < summary->n_alerts; i++) {
		free(summary->alerts[i].spec);
		free(summary->alerts[i].mount);
	}
	free(summary->alerts);
	free(summary->stalls);
	free(summary->commands);
	run_end_fini(&summary->end);
	*summary = (struct summary){0};
}
