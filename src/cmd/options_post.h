/* SPDX-License-Identifier: MIT
 *
 * The options about posting: on the command line, in the configuration and in the environment.
 */
#ifndef CMD_OPTIONS_POST_H
#define CMD_OPTIONS_POST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/why.h"
#include "model/run.h"
#include "post/post.h"

struct options_post {
	struct post_target *targets;
	size_t n;
	double live_s; /* 0: no live points */
	bool alerts;
	bool required;
	bool off;
	char *textfile; /* the directory of node_exporter's; NULL: none */
	char *token;	/* of the environment, which no longer has it */
	bool began;	/* what comes now is of the command line */
	bool given;	/* a --post was on it */
	bool is_public; /* the configuration can be read by others */
};

/* Lines for getopt_long(3), all with one code. */
#define OPTIONS_POST_LONG(code)                                                                              \
	{"post", required_argument, NULL, code}, {"post-format", required_argument, NULL, code},             \
		{"post-token-file", required_argument, NULL, code},                                          \
		{"post-auth", required_argument, NULL, code}, {"post-netrc", optional_argument, NULL, code}, \
		{"post-cacert", required_argument, NULL, code},                                              \
		{"post-cert", required_argument, NULL, code}, {"post-key", required_argument, NULL, code},   \
		{"post-insecure", no_argument, NULL, code},                                                  \
		{"post-insecure-permissions", no_argument, NULL, code},                                      \
		{"post-allow-http-auth", no_argument, NULL, code},                                           \
		{"post-timeout", required_argument, NULL, code},                                             \
		{"post-gzip", required_argument, NULL, code}, {"post-live", required_argument, NULL, code},  \
		{"post-alerts", no_argument, NULL, code}, {"post-required", no_argument, NULL, code},        \
		{"no-post", no_argument, NULL, code},                                                        \
	{                                                                                                    \
		"prom-textfile", required_argument, NULL, code                                               \
	}

#define OPTIONS_POST_HELP                                                                                    \
	"      --post URL           send the summary to a results server; may be repeated, and the "         \
	"options\n"                                                                                          \
	"                           of a server stand behind its --post:\n"                                  \
	"      --post-format influx|influx-numeric|pushgateway|otlp|json  (as the URL looks, else json)\n"   \
	"      --post-token-file FILE, --post-auth bearer|token|basic|header:NAME, --post-netrc[=FILE]\n"    \
	"      --post-cacert FILE, --post-cert FILE, --post-key FILE, --post-insecure\n"                     \
	"      --post-timeout SECONDS (10), --post-gzip yes|no, --post-allow-http-auth,\n"                   \
	"      --post-insecure-permissions\n"                                                                \
	"      --post-live SECONDS  send points while the build runs as well (influx; 10 or more)\n"         \
	"      --post-alerts        send an alarm as a point when it is raised (influx)\n"                   \
	"      --post-required      status 75 if the build succeeded and posting did not\n"                  \
	"      --no-post            send nothing, whatever the configuration says\n"                         \
	"      --prom-textfile DIR  write buildtop.prom for node_exporter's textfile collector\n"

/* Takes the token out of the environment, and what BUILDTOP_POST and the configuration say; the lines of the
 * latter go through take(). 0 or -errno. */
int options_post_begin(struct options_post *post,
		       int (*take)(void *self, const char *key, const char *value, struct why *why),
		       void *self, struct why *why);
/* An option by its name without dashes; value NULL: none. */
int options_post_take(struct options_post *post, const char *name, const char *value, struct why *why);
/* All of it together, before anything is started: can each server be sent to, and be told these labels? */
int options_post_check(struct options_post *post, const struct run_label *labels, size_t n_labels,
		       struct why *why);
void options_post_fini(struct options_post *post);

#endif
