/* SPDX-License-Identifier: MIT
 *
 * The summary document as it is; model/summary.h makes it, so that the document, the report and what is
 * posted are the same.
 */
#include "formats.h"

#include <stdlib.h>

static void add_document(struct buf *out, const struct summary *summary)
{
	char *document = summary_json(summary);
	buf_add_string(out, document);
	free(document);
}

const struct report_format report_json = {
	.name = "json",
	.help = "the summary document, for programs",
	.summary = add_document,
};
