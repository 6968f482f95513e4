/* SPDX-License-Identifier: MIT
 *
 * One process at a time sends what waits; a lock on a file beside the history sees to that. The newest first:
 * where only the newest counts, the others are gone after it. A server that does not answer is not asked
 * again for the next document. Main thread.
 */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"

#define AT_ONCE	   5
#define REQUEST_NS (15 * NS_PER_S)
#define TOO_MANY   429

struct waiting {
	char id[UUID_SIZE];
	char *target, *settings;
	unsigned attempts;
	int64_t next_us, start_us;
	int last_status;
	bool rejected;
};

struct queue {
	struct waiting *list;
	size_t count, capacity;
};

static bool take_parcel(void *self, const struct history_parcel *parcel)
{
	struct queue *queue = self;
	MEM_GROW(queue->list, queue->count, queue->capacity);
	struct waiting *waiting = &queue->list[queue->count++];
	*waiting = (struct waiting){.target = mem_dup(parcel->target),
				    .settings = mem_dup(parcel->settings),
				    .attempts = parcel->attempts,
				    .next_us = parcel->next_us,
				    .start_us = parcel->start_us,
				    .last_status = parcel->last_status,
				    .rejected = parcel->rejected};
	memcpy(waiting->id, parcel->id, sizeof waiting->id);
	return true;
}

static int newest_first(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;
	return (x->start_us < y->start_us) - (x->start_us > y->start_us);
}

static int queue_fill(struct queue *queue, struct history *history, struct why *why)
{
	*queue = (struct queue){0};
	int error = history_parcels(history, take_parcel, queue, why);
	if (queue->count > 0)
		qsort(queue->list, queue->count, sizeof *queue->list, newest_first);
	return error;
}

static void queue_fini(struct queue *queue)
{
	for (size_t i = 0; i < queue->count; i++) {
		free(queue->list[i].target);
		free(queue->list[i].settings);
	}
	free(queue->list);
}

static const struct post_target *known_target(const struct waiting *waiting, const struct delivery *delivery)
{
	for (size_t i = 0; i < delivery->n; i++) {
		if (strcmp(delivery->targets[i].name, waiting->target) == 0)
			return &delivery->targets[i];
	}
	return NULL;
}

/* The target as it is known by now, or as it was when the document was put by. */
static int find_target(struct post_target *found, const struct waiting *waiting,
		       const struct delivery *delivery, struct why *why)
{
	struct buf settings = {0};
	const struct post_target *known = known_target(waiting, delivery);
	post_target_init(found, known != NULL ? known->url : waiting->target);
	if (known == NULL && strstr(waiting->target, "***") != NULL)
		return why_set(why, -ENOKEY, "%s: a secret in its address is not kept; give it with --post",
			       waiting->target);
	if (known != NULL)
		post_target_settings(known, &settings);
	const char *token = known != NULL ? known->token : delivery->token;
	if (token != NULL)
		found->token = mem_dup(token);
	found->trusted = known != NULL && known->trusted;
	int error = post_target_read_settings(
		found, known != NULL ? (settings.data != NULL ? settings.data : "") : waiting->settings, why);
	buf_fini(&settings);
	return error;
}

static int send_waiting(struct delivery *delivery, const struct waiting *waiting)
{
	struct post_target target;
	struct buf document = {0};
	struct why why;
	if (!history_waits(delivery->history, waiting->id, waiting->target))
		return 0; /* sent meanwhile, or no longer worth it */
	int error = find_target(&target, waiting, delivery, &why);
	if (error == 0)
		error = history_document(delivery->history, waiting->id, &document, &why);
	if (error == 0) {
		error = deliver(delivery, &target, waiting->id, document.data, waiting->attempts);
	} else {
		delivery->tally->kept++;
		log_say("%s", why.text);
	}
	buf_fini(&document);
	post_target_fini(&target);
	return error;
}

/* -EBUSY: another process sends. */
static int take_turn(struct why *why)
{
	char *path = history_beside("post.lock", why);
	if (path == NULL)
		return -ENOENT;
	int fd = fd_open(path, O_RDWR | O_CREAT, 0600);
	free(path);
	if (fd < 0)
		return why_set(why, fd, "post.lock beside the history: %s", strerror(-fd));
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		return why_set(why, -EBUSY, "another buildtop is sending");
	}
	return fd;
}

static void trim(struct history *history)
{
	long gone = history_spool_trim(history, clock_wall_ns() / NS_PER_US);
	if (gone > 0)
		log_say("%ld summaries waited for a server for longer than 30 days, or were too many: not "
			"sent any more",
			gone);
}

void spool_some(struct delivery *delivery)
{
	struct queue queue;
	int turn = take_turn(NULL), error = 0;
	if (turn < 0)
		return;
	trim(delivery->history);
	queue_fill(&queue, delivery->history, NULL);
	unsigned tried = 0;
	for (size_t i = 0; i < queue.count && tried < AT_ONCE && error == 0; i++) {
		const struct waiting *waiting = &queue.list[i];
		if (waiting->rejected || known_target(waiting, delivery) == NULL ||
		    waiting->next_us > clock_wall_ns() / NS_PER_US ||
		    clock_mono_ns() > delivery->budget.deadline_ns - NS_PER_S)
			continue;
		error = send_waiting(delivery, waiting);
		tried++;
	}
	queue_fini(&queue);
	close(turn);
}

/* Is this one to be left alone for now? */
static bool is_left(const struct queue *queue, size_t at, const bool *failed, const char *only,
		    bool retry_rejected)
{
	const struct waiting *waiting = &queue->list[at];
	if ((only != NULL && strcmp(only, waiting->target) != 0) || (waiting->rejected && !retry_rejected))
		return true;
	for (size_t i = 0; i < at; i++) {
		if (failed[i] && strcmp(queue->list[i].target, waiting->target) == 0)
			return true;
	}
	return false;
}

int post_pending(struct history *history, const struct post_target *targets, size_t n, const char *token,
		 const char *only, bool retry_rejected, struct post_tally *tally, struct why *why)
{
	struct interrupt interrupt;
	struct queue queue = {0};
	int turn = take_turn(why), error = turn < 0 ? turn : queue_fill(&queue, history, why);
	bool *failed = mem_alloc(queue.count + 1, sizeof *failed);
	struct delivery delivery = delivery_begin(history, targets, n, &interrupt, tally);
	delivery.token = token;
	for (size_t i = 0; error == 0 && i < queue.count; i++) {
		const struct waiting *waiting = &queue.list[i];
		if (is_left(&queue, i, failed, only, retry_rejected)) {
			tally->kept +=
				!waiting->rejected && (only == NULL || strcmp(only, waiting->target) == 0);
			continue;
		}
		if (waiting->last_status == TOO_MANY && waiting->next_us > clock_wall_ns() / NS_PER_US) {
			log_say("%s asked to be left alone for another %lld s", waiting->target,
				(long long)(waiting->next_us - clock_wall_ns() / NS_PER_US) / 1000000 + 1);
			failed[i] = true;
			tally->kept++;
			continue;
		}
		delivery.budget.deadline_ns = clock_mono_ns() + REQUEST_NS;
		int sent = send_waiting(&delivery, waiting);
		failed[i] = sent < 0 && sent != -EBADMSG;
		if (sent == -EINTR)
			error = why_set(why, -EINTR, "interrupted");
	}
	delivery_end(&interrupt);
	free(failed);
	queue_fini(&queue);
	if (turn >= 0)
		close(turn);
	return error;
}
