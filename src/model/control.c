/* SPDX-License-Identifier: MIT
 *
 * Two mailboxes, each a ring of pairs (word, argument) and a bell. A full box forgets: typed bytes first, so
 * that a long paste never takes the room of an order.
 */
#include "model/control.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bell.h"
#include "base/mem.h"
#include "base/ring.h"
#include "model/timeline.h"

#define CONTROL_ASKS	8192
#define CONTROL_TELLS	256
#define CONTROL_LINES	16
#define CONTROL_RESERVE 64 /* room kept from typed bytes */

struct control_box {
	struct ring *ring;
	size_t capacity;
	int bell;
};

struct control {
	struct control_box asks;
	struct control_box tells;
	_Atomic(struct timeline *) timeline; /* given and not yet taken */
	struct ring *lines;		     /* of pointers */
};

static void control_box_init(struct control_box *box, size_t capacity)
{
	box->ring = ring_new(2 * capacity);
	box->capacity = capacity;
	box->bell = bell_open();
}

static void control_box_fini(struct control_box *box)
{
	ring_free(box->ring);
	if (box->bell >= 0)
		close(box->bell);
}

struct control *control_new(void)
{
	struct control *control = mem_alloc(1, sizeof *control);

	control_box_init(&control->asks, CONTROL_ASKS);
	control_box_init(&control->tells, CONTROL_TELLS);
	control->lines = ring_new(CONTROL_LINES);
	if (control->asks.bell < 0 || control->tells.bell < 0) {
		control_free(control);
		return NULL;
	}
	return control;
}

void control_free(struct control *control)
{
	if (!control)
		return;
	for (char *line; (line = control_told_line(control));)
		free(line);
	ring_free(control->lines);
	control_box_fini(&control->asks);
	control_box_fini(&control->tells);
	timeline_free(control->timeline);
	free(control);
}

static void control_put(struct control_box *box, unsigned word, int64_t arg, size_t reserve)
{
	if ((ring_count(box->ring) + 1) / 2 + reserve >= box->capacity)
		return;
	ring_push(box->ring, word);
	ring_push(box->ring, (uint64_t)arg);
	bell_ring(box->bell);
}

static bool control_pop(struct control_box *box, uint64_t *word, int64_t *arg)
{
	uint64_t bits = 0;

	if (ring_count(box->ring) < 2)
		return false;
	ring_pop(box->ring, word);
	ring_pop(box->ring, &bits);
	*arg = (int64_t)bits;
	return true;
}

static bool control_take(struct control_box *box, uint64_t *word, int64_t *arg)
{
	if (control_pop(box, word, arg))
		return true;
	bell_hush(box->bell);
	if (!control_pop(box, word, arg))
		return false;
	bell_ring(box->bell);
	return true;
}

void control_ask(struct control *control, enum control_ask ask, int64_t arg)
{
	control_put(&control->asks, ask, arg, ask == CONTROL_ASK_TYPE ? CONTROL_RESERVE : 0);
}

bool control_asked(struct control *control, enum control_ask *ask, int64_t *arg)
{
	uint64_t word;

	if (!control_take(&control->asks, &word, arg))
		return false;
	*ask = (enum control_ask)word;
	return true;
}

int control_asked_fd(const struct control *control)
{
	return control->asks.bell;
}

void control_tell(struct control *control, enum control_tell tell, int64_t arg)
{
	control_put(&control->tells, tell, arg, 0);
}

bool control_told(struct control *control, enum control_tell *tell, int64_t *arg)
{
	uint64_t word;

	if (!control_take(&control->tells, &word, arg))
		return false;
	*tell = (enum control_tell)word;
	return true;
}

int control_told_fd(const struct control *control)
{
	return control->tells.bell;
}

void control_give_timeline(struct control *control, struct timeline *timeline)
{
	timeline_free(atomic_exchange(&control->timeline, timeline));
	control_tell(control, CONTROL_TELL_TIMELINE, 0);
}

struct timeline *control_take_timeline(struct control *control)
{
	return atomic_exchange(&control->timeline, NULL);
}

void control_tell_line(struct control *control, const char *line)
{
	char *copy = mem_dup(line);

	if (!ring_push(control->lines, (uint64_t)(uintptr_t)copy)) {
		free(copy);
		return;
	}
	control_tell(control, CONTROL_TELL_LINE, 0);
}

char *control_told_line(struct control *control)
{
	uint64_t word;

	return ring_pop(control->lines, &word) ? (char *)(uintptr_t)word : NULL;
}
