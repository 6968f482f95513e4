/* SPDX-License-Identifier: MIT
 *
 * Points while the build runs, for whoever looks at a graph meanwhile. Best effort: one request in flight for
 * each server, a point that finds it busy is dropped, nothing is tried again and nothing kept. Alarms wait
 * for the request in flight. Never holds anybody up: it has a thread of its own, which waits for its inbox
 * and its servers at once and leaves a request that is under way when the build ends.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "figures.h"
#include "influx.h"
#include "libcurl.h"
#include "model/metric.h"
#include "post/post.h"
#include "request.h"
#include "target.h"

#define CONNECT_MS 3000
#define REQUEST_MS 10000
#define WAIT_MS	   1000
#define ALARMS_MAX 16384 /* bytes of alarms that may wait */

struct server {
	const struct post_target *target;
	CURL *curl;
	struct letter letter;
	struct buf token, zipped;
	struct curl_slist *headers;
	struct buf alarms; /* lines that wait */
	bool busy;
	bool told; /* that it does not work */
};

struct post_live {
	struct server *servers;
	size_t n;
	int64_t interval_ns; /* 0: alarms only */
	int64_t next_ns;
	bool alerts;
	json_t *document; /* of the run, for its labels */
	CURLM *multi;
};

struct post_live *post_live_new(const struct post_target *targets, size_t n, double interval_s, bool alerts)
{
	struct post_live *live;
	if (libcurl_load(NULL) < 0)
		return NULL;
	live = mem_alloc(1, sizeof *live);
	live->servers = mem_alloc(n + 1, sizeof *live->servers);
	for (size_t i = 0; i < n; i++) {
		const struct post_format *format = format_of(&targets[i]);
		if (format == &format_influx || format == &format_influx_numeric)
			live->servers[live->n++].target = &targets[i];
	}
	live->interval_ns = (int64_t)(interval_s * 1e9);
	live->alerts = alerts;
	libcurl.global_init(CURL_GLOBAL_DEFAULT); /* here, where there is one thread only */
	return live;
}

void post_live_free(struct post_live *live)
{
	if (live == NULL)
		return;
	json_decref(live->document);
	free(live->servers);
	free(live);
	libcurl.global_cleanup();
}

static json_t *clean_string(const char *raw)
{
	struct buf text = {0};
	text_utf8_add(&text, raw != NULL ? raw : "", raw != NULL ? strlen(raw) : 0, 256);
	json_t *string = json_string(text.data != NULL ? text.data : "");
	buf_fini(&text);
	return string;
}

static void begin(void *self, const struct run *run)
{
	struct post_live *live = self;
	json_t *labels = json_object();
	for (size_t i = 0; i < run->n_labels; i++)
		json_object_set_new(labels, run->labels[i].key, clean_string(run->labels[i].value));
	live->document =
		json_pack("{s:{s:o},s:o}", "host", "name", clean_string(run->host), "labels", labels);
}

static void add_metric(struct buf *out, const char *name, uint64_t value)
{
	if (value != METRIC_NA)
		buf_add_format(out, ",%s=%llui", name, (unsigned long long)value);
}

/* A line begins with a field that is always known, so that the others may be missing. */
static void add_point(struct buf *out, const struct post_live *live, const struct tick *tick)
{
	const uint64_t *system = tick->sample->system;
	struct labels labels;
	labels_collect(&labels, live->document);
	buf_add_string(out, "buildtop_live");
	influx_add_labels(out, &labels);
	buf_add_format(out, " stalled=%di,build_tasks=%ui", tick->stalled, tick->build_tasks);
	add_metric(out, "dirty_bytes", system[METRIC_SYSTEM_DIRTY_BYTES]);
	add_metric(out, "writeback_bytes", system[METRIC_SYSTEM_WRITEBACK_BYTES]);
	add_metric(out, "page_cache_bytes", tick->page_cache_bytes);
	add_metric(out, "blocked_tasks", system[METRIC_SYSTEM_PROCS_BLOCKED]);
	add_metric(out, "running_tasks", system[METRIC_SYSTEM_PROCS_RUNNING]);
	buf_add_format(out, " %lld\n", (long long)tick->sample->wall_ns);
}

static void add_alarm(struct buf *out, const struct post_live *live, const struct tick *tick, size_t mount)
{
	const struct tick_mount *state = &tick->mounts[mount];
	struct labels labels;
	struct buf path = {0};
	const char *raw = sample_string(tick->sample, tick->sample->mounts[mount].point, NULL);
	text_utf8_add(&path, raw, strlen(raw), 256);
	labels_collect(&labels, live->document);
	buf_add_string(out, "buildtop_alert");
	influx_add_labels(out, &labels);
	influx_add_tag(out, "alarm", state->alarm == TICK_ALARM_FILLING ? "filling" : "nearly_full");
	influx_add_tag(out, "mount", path.len > 0 ? path.data : "?");
	buf_add_string(out, " raised=1i");
	if (state->used >= 0)
		buf_add_format(out, ",used_ratio=%.6f", state->used);
	if (state->seconds_to_full >= 0 && state->seconds_to_full < 1e9)
		buf_add_format(out, ",full_in_seconds=%.1f", state->seconds_to_full);
	buf_add_format(out, " %lld\n", (long long)tick->sample->wall_ns);
	buf_fini(&path);
}

static size_t drop_answer(char *bytes, size_t size, size_t count, void *self)
{
	(void)bytes;
	(void)self;
	return size * count;
}

static void start(struct post_live *live, struct server *server)
{
	struct request request = {
		.target = server->target,
		.part = &server->letter.parts[0],
		.token = &server->token,
		.id = "live",
		.connect_ms = CONNECT_MS,
		.timeout_ms = REQUEST_MS,
	};
	libcurl.easy_reset(server->curl);
	server->headers = request_prepare(server->curl, &request, &server->zipped);
	libcurl.easy_setopt(server->curl, CURLOPT_WRITEFUNCTION, drop_answer);
	libcurl.easy_setopt(server->curl, CURLOPT_PRIVATE, server);
	libcurl.multi_add_handle(live->multi, server->curl);
	server->busy = true;
}

static void stop(struct post_live *live, struct server *server)
{
	libcurl.multi_remove_handle(live->multi, server->curl);
	libcurl.slist_free_all(server->headers);
	server->headers = NULL;
	buf_clear(&server->zipped);
	letter_fini(&server->letter);
	server->busy = false;
}

/* New lines for a server that is idle; tick NULL: alarms only. */
static void offer(struct post_live *live, struct server *server, const struct tick *tick)
{
	if (server->curl == NULL || server->busy || (tick == NULL && server->alarms.len == 0))
		return;
	struct letter_part *part =
		letter_add(&server->letter, "POST", server->target->url, "text/plain; charset=utf-8");
	influx_add_url(part);
	buf_add(&part->body, server->alarms.data, server->alarms.len);
	buf_clear(&server->alarms);
	if (tick != NULL)
		add_point(&part->body, live, tick);
	start(live, server);
}

static void take_tick(struct post_live *live, const struct tick *tick)
{
	bool due = live->interval_ns > 0 && tick->sample->mono_ns >= live->next_ns;
	if (due)
		live->next_ns = tick->sample->mono_ns + live->interval_ns;
	for (size_t i = 0; i < live->n; i++) {
		struct server *server = &live->servers[i];
		for (size_t k = 0; live->alerts && k < tick->sample->n_mounts; k++) {
			if (tick->mounts[k].alarm_new && tick->mounts[k].alarm != TICK_ALARM_NONE &&
			    server->alarms.len < ALARMS_MAX)
				add_alarm(&server->alarms, live, tick, k);
		}
		offer(live, server, due ? tick : NULL);
	}
}

/* What went wrong is told once for each server. */
static void finish_done(struct post_live *live)
{
	CURLMsg *message;
	int left;
	while ((message = libcurl.multi_info_read(live->multi, &left)) != NULL) {
		struct server *server = NULL;
		long status = 0;
		CURLcode code = message->data.result;
		libcurl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&server);
		libcurl.easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
		if (!server->told && (code != CURLE_OK || status < 200 || status > 299)) {
			char *host = target_host(server->target->url);
			log_say("live points to %s: %s (%ld); going on", host,
				code != CURLE_OK ? libcurl.easy_strerror(code) : "not taken", status);
			free(host);
			server->told = true;
		}
		stop(live, server);
	}
}

static void open_servers(struct post_live *live)
{
	struct why why;
	live->multi = libcurl.multi_init();
	for (size_t i = 0; i < live->n; i++) {
		if (target_read_token(live->servers[i].target, &live->servers[i].token, &why) == 0)
			live->servers[i].curl = libcurl.easy_init();
		else
			log_say("live points: %s", why.text);
	}
}

static void close_servers(struct post_live *live)
{
	for (size_t i = 0; i < live->n; i++) {
		struct server *server = &live->servers[i];
		if (server->busy)
			stop(live, server);
		libcurl.easy_cleanup(server->curl);
		target_wipe_token(&server->token);
		buf_fini(&server->zipped);
		buf_fini(&server->alarms);
	}
	libcurl.multi_cleanup(live->multi);
}

static void serve(void *self, struct inbox *inbox)
{
	struct post_live *live = self;
	open_servers(live);
	while (!inbox_ended(inbox)) {
		struct tick *tick = inbox_take(inbox, NULL);
		if (tick != NULL) {
			take_tick(live, tick);
			tick_unref(tick);
			continue;
		}
		struct curl_waitfd ready = {.fd = inbox_fd(inbox), .events = CURL_WAIT_POLLIN};
		int running;
		libcurl.multi_perform(live->multi, &running);
		finish_done(live);
		for (size_t i = 0; i < live->n; i++)
			offer(live, &live->servers[i], NULL);
		if (!inbox_ended(inbox))
			libcurl.multi_poll(live->multi, &ready, 1, WAIT_MS, NULL);
	}
	close_servers(live);
}

struct consumer post_live_consumer(struct post_live *live)
{
	return (struct consumer){
		.name = "post", .self = live, .begin = begin, .serve = serve, .expendable = true};
}
