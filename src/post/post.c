/* SPDX-License-Identifier: MIT
 *
 * Posting as the rest of the program sees it: the document, and the budget that the end of a build can spare.
 */
#include "post/post.h"

#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "send.h"

const char *post_library(void)
{
	return curl_version();
}

int post_send(const struct post_target *target, const struct summary *summary, struct why *why)
{
	static const struct send_budget budget = {
		.connect_ms = 3000, .request_ms = 10000, .total_ms = 15000, .tries = 2};
	char *document = summary_json(summary);
	int error = send_document(target, summary->run->id, document, strlen(document), &budget, why);
	free(document);
	return error;
}
