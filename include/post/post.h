/* SPDX-License-Identifier: MIT
 *
 * Sends summary documents to results servers, and keeps what could not be sent in the spool of the history. What it has to
 * say goes through base/log.h. A build of buildtop without libcurl has all of this and says so.
 */
#ifndef POST_POST_H
#define POST_POST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/why.h"
#include "history/history.h"
#include "model/consumer.h"
#include "model/run.h"

/* Where to and how. All strings are its own; NULL: not given. */
struct post_target {
	char *url;
	char *name; /* the URL without its secrets: may be told, and is what the spool calls it */
	char *format;
	char *token_file;
	char *auth; /* "bearer", "token", "basic", "header:NAME" */
	char *netrc; /* "": the usual file */
	char *cacert, *cert, *key;
	char *timeout; /* seconds */
	char *gzip;    /* "no" */
	char *insecure, *insecure_permissions, *allow_http_auth; /* "yes" */
	char *token; /* from the environment: never written anywhere */
	bool trusted; /* its URL was read by nobody else: it may hold a password */
};

void post_target_init(struct post_target *target, const char *url);
void post_target_fini(struct post_target *target);
/* A setting as the options call it, without "post-"; value NULL: "yes". 0 or -EINVAL. */
int post_target_set(struct post_target *target, const char *key, const char *value, struct why *why);
/* The settings as lines "key=value", and back. */
void post_target_settings(const struct post_target *target, struct buf *out);
int post_target_read_settings(struct post_target *target, const char *settings, struct why *why);

/* "libcurl/7.88.1 …", or NULL: built without. */
const char *post_library(void);
/* Is it a target that can be sent to (scheme, no secret in the URL, token file private)? 0 or -errno with why. */
int post_check(const struct post_target *target, struct why *why);
/* Can this label be told to it? */
int post_check_label(const struct post_target *target, const char *key, const char *value, struct why *why);

struct post_tally {
	unsigned sent, kept, rejected;
};

/*
 * At the end of a build: sends its document to all targets, and up to five that wait for them, within 15 s in all; SIGINT, SIGTERM and
 * SIGHUP end that at once. history NULL: what is not sent is lost. Gives the number of targets the document did not
 * reach. Main thread only, while there is no other.
 */
unsigned post_deliver(struct history *history, const char *document, const struct post_target *targets, size_t n,
		      struct post_tally *tally);
/* Everything that waits; to `only` if that is not NULL. Targets say how to reach those that are named there; others get the
 * token, if it is not NULL. */
int post_pending(struct history *history, const struct post_target *targets, size_t n, const char *token,
		 const char *only, bool retry_rejected, struct post_tally *tally, struct why *why);
/* A point that means nothing, to see whether it arrives. 0 or -errno. */
int post_test(const struct post_target *target, struct why *why);
/* Takes a Pushgateway's group away. 0 or -errno. */
int post_delete_group(const struct post_target *target, const char *project, const char *variant, const char *host,
		      struct why *why);
/* What would be sent: request lines, headers without secrets, bodies. */
int post_preview(struct buf *out, const struct post_target *target, const char *document, struct why *why);

/* The figures of a document as Prometheus' text format. 0 or -EINVAL. */
int post_prometheus(struct buf *out, const char *document, struct why *why);

/* Sends points while the build runs, and alarms if wanted; best effort, from the consumer's own thread. */
struct post_live;
struct post_live *post_live_new(const struct post_target *targets, size_t n, double interval_s, bool alerts);
void post_live_free(struct post_live *live);
struct consumer post_live_consumer(struct post_live *live);

#endif
