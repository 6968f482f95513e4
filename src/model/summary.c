/* SPDX-License-Identifier: MIT
 *
 * The summary's storage. The run it speaks of is borrowed.
 */
#include "model/summary.h"

#include <stdlib.h>

static void tmpfs_fini(struct summary_tmpfs *tmpfs)
{
	free(tmpfs->mount);
	buf_fini(&tmpfs->writers);
	buf_fini(&tmpfs->largest);
}

void summary_fini(struct summary *summary)
{
	for (size_t i = 0; i < summary->n_tmpfs; i++)
		tmpfs_fini(&summary->tmpfs[i]);
	free(summary->tmpfs);
	tmpfs_fini(&summary->disk);
	for (size_t i = 0; i < summary->n_alerts; i++) {
		free(summary->alerts[i].spec);
		free(summary->alerts[i].mount);
		buf_fini(&summary->alerts[i].writers);
		buf_fini(&summary->alerts[i].largest);
	}
	free(summary->alerts);
	free(summary->stalls);
	free(summary->commands);
	for (size_t i = 0; i < summary->n_steps; i++)
		free(summary->steps[i].name);
	free(summary->steps);
	run_end_fini(&summary->end);
	*summary = (struct summary){0};
}
