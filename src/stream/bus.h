/* SPDX-License-Identifier: MIT
 *
 * The bus: carries each tick to every consumer. One inbox each; those that serve get a thread, the others are
 * called on the main thread.
 */
#ifndef STREAM_BUS_H
#define STREAM_BUS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/consumer.h"
#include "worker.h"

struct station {
	struct consumer consumer;
	struct inbox *inbox;
	struct worker thread;
	const struct run_end *end; /* set before the inbox is closed */
};

struct bus {
	struct station *stations;
	size_t n;
};

int bus_init(struct bus *bus, const struct consumer *consumers, size_t n); /* 0 or -errno */
void bus_begin(struct bus *bus, const struct run *run);
void bus_start(struct bus *bus); /* the threads; a consumer that gets none is said and left out */

/* The sampler's thread (and before it runs, the main thread): */
void bus_put(struct bus *bus, struct tick *tick);

/* Main thread: */
size_t bus_poll(const struct bus *bus, struct pollfd *fds); /* fills at most bus->n, for the inline ones */
void bus_serve_inline(struct bus *bus);
/* Nothing follows; `end` must outlive the bus. Each consumer's end() is called: behind serve() on its own
 * thread where one was started, here and now for the others. The sampler must have ended. */
void bus_close(struct bus *bus, const struct run_end *end);
void bus_fini(struct bus *bus); /* no thread may be left */

#endif
