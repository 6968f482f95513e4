/* SPDX-License-Identifier: MIT
 *
 * The only place that writes to a recording. write(2) only: a page that cannot be had is an error here, not a
 * SIGBUS.
 */
#include "outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"

void outlet_init(struct outlet *outlet, int fd, const char *name)
{
	*outlet = (struct outlet){.fd = fd, .name = mem_dup(name)};
}

void outlet_set_fifo(struct outlet *outlet, const char *path)
{
	outlet->fifo = mem_dup(path);
}

/* True: there is a descriptor to write to. */
static bool fifo_join(struct outlet *outlet)
{
	if (!outlet->fifo)
		return true;
	int fd = fd_open(outlet->fifo, O_WRONLY | O_NONBLOCK, 0);
	if (fd < 0)
		return false;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	outlet->fd = fd;
	free(outlet->fifo);
	outlet->fifo = NULL;
	return true;
}

void outlet_wait_reader(struct outlet *outlet, int64_t at_most_ns)
{
	int64_t until_ns = clock_mono_ns() + at_most_ns;
	while (!fifo_join(outlet) && clock_mono_ns() < until_ns)
		poll(NULL, 0, 20);
}

void outlet_fini(struct outlet *outlet)
{
	outlet_drop(outlet);
	free(outlet->pieces);
	free(outlet->name);
	free(outlet->fifo);
	index_fini(&outlet->index);
	if (outlet->fd >= 0)
		close(outlet->fd);
	outlet->fd = -1;
}

void outlet_add(struct outlet *outlet, struct piece *piece)
{
	if (outlet->closed) {
		outlet->lost += piece->samples;
		buf_fini(&piece->bytes);
		return;
	}
	if (outlet->head == outlet->count)
		outlet->head = outlet->count = 0;
	MEM_GROW(outlet->pieces, outlet->count, outlet->capacity);
	outlet->pieces[outlet->count++] = *piece;
	outlet->waiting_size += piece->bytes.len;
	*piece = (struct piece){0};
}

static void piece_forget(struct outlet *outlet, struct piece *piece)
{
	outlet->waiting_size -= piece->bytes.len;
	buf_fini(&piece->bytes);
}

void outlet_drop(struct outlet *outlet)
{
	for (; outlet->head < outlet->count; outlet->head++) {
		outlet->lost += outlet->pieces[outlet->head].samples;
		piece_forget(outlet, &outlet->pieces[outlet->head]);
	}
	outlet->head_written = 0;
}

/* The first piece is in the file, whole. */
static void piece_done(struct outlet *outlet)
{
	struct piece *piece = &outlet->pieces[outlet->head++];
	struct index *index = &outlet->index;
	if (piece->frame != outlet->frame_begun && piece->samples > 0) {
		uint64_t begun_at = outlet->offset - piece->bytes.len;
		index_add(index,
			  &(struct index_frame){begun_at, piece->number, piece->number, 0, piece->mono_us});
	}
	if (piece->samples > 0) {
		struct index_frame *frame = &index->frames[index->n_frames - 1];
		frame->last = piece->number;
		frame->samples += piece->samples;
	}
	outlet->frame_begun = piece->frame;
	outlet->head_written = 0;
	piece_forget(outlet, piece);
}

static void outlet_trouble(struct outlet *outlet, int error, int64_t now_ns)
{
	if (error == EPIPE) {
		log_say("recording to %s: its reader is gone; the recording ends here", outlet->name);
		outlet->closed = true;
		outlet_drop(outlet);
		return;
	}
	outlet->retry_ns = now_ns + OUTLET_RETRY_NS;
	if (!outlet->told)
		log_say("recording to %s: %s; kept in memory, trying again", outlet->name, strerror(error));
	outlet->told = true;
}

/* Some bytes of the first piece; 0 or a positive errno. */
static int piece_write(struct outlet *outlet)
{
	const struct piece *piece = &outlet->pieces[outlet->head];
	ssize_t n = write(outlet->fd, piece->bytes.data + outlet->head_written,
			  piece->bytes.len - outlet->head_written);
	if (n >= 0) {
		outlet->head_written += (size_t)n;
		outlet->offset += (uint64_t)n;
		return 0;
	}
	if (errno == EINTR)
		return 0;
	if (errno == EAGAIN) { /* somebody gave us a descriptor that does not wait: wait ourselves */
		poll(&(struct pollfd){.fd = outlet->fd, .events = POLLOUT}, 1, -1);
		return 0;
	}
	return errno;
}

bool outlet_push(struct outlet *outlet, int64_t now_ns, bool forced)
{
	if ((outlet->retry_ns > now_ns && !forced) || !fifo_join(outlet))
		return false;
	while (outlet->head < outlet->count) {
		int error = piece_write(outlet);
		if (error) {
			outlet_trouble(outlet, error, now_ns);
			return outlet->closed;
		}
		if (outlet->head_written == outlet->pieces[outlet->head].bytes.len)
			piece_done(outlet);
	}
	if (outlet->told)
		log_say("recording to %s: goes on", outlet->name);
	outlet->told = false;
	outlet->retry_ns = 0;
	return true;
}

static bool outlet_is_over(const struct outlet *outlet, int64_t now_ns)
{
	return outlet->waiting_size > OUTLET_KEEP_SIZE ||
	       (outlet->head < outlet->count &&
		now_ns - outlet->pieces[outlet->head].queued_ns > OUTLET_KEEP_NS);
}

/* The first waiting frame none of which is in the file and which is complete; the index of its first piece.
 */
static size_t outlet_oldest(const struct outlet *outlet, uint64_t open_frame)
{
	uint64_t begun = outlet->head_written > 0 ? outlet->pieces[outlet->head].frame : outlet->frame_begun;
	size_t i = outlet->head;
	while (i < outlet->count && (outlet->pieces[i].frame == begun || outlet->pieces[i].frame == 0))
		i++;
	return i < outlet->count && outlet->pieces[i].frame != open_frame ? i : outlet->count;
}

uint64_t outlet_trim(struct outlet *outlet, int64_t now_ns, uint64_t open_frame)
{
	uint64_t samples = 0;
	while (outlet_is_over(outlet, now_ns)) {
		size_t first = outlet_oldest(outlet, open_frame);
		if (first == outlet->count)
			break;
		size_t end = first;
		for (; end < outlet->count && outlet->pieces[end].frame == outlet->pieces[first].frame;
		     end++) {
			samples += outlet->pieces[end].samples;
			piece_forget(outlet, &outlet->pieces[end]);
		}
		memmove(&outlet->pieces[first], &outlet->pieces[end],
			(outlet->count - end) * sizeof *outlet->pieces);
		outlet->count -= end - first;
	}
	outlet->lost += samples;
	return samples;
}
