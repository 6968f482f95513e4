/* SPDX-License-Identifier: MIT
 *
 * Knows the consumers and their inboxes. A tick is put into every inbox without waiting; a full one loses it
 * and is told. What a consumer does is not known here, nor whether it is still interested: one whose serve()
 * returned has its ticks thrown away by its own thread, so that a closed screen holds no memory.
 */
#include "bus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"

/* Ten minutes of ticks at 1 Hz: a recorder that waits for a stalled disk is to lose nothing. */
#define INBOX_CAPACITY 600

int bus_init(struct bus *bus, const struct consumer *consumers, size_t n)
{
	*bus = (struct bus){.stations = mem_alloc(n + 1, sizeof *bus->stations)};
	for (size_t i = 0; i < n; i++) {
		struct station *station = &bus->stations[i];

		station->consumer = consumers[i];
		station->inbox = inbox_new(INBOX_CAPACITY);
		if (station->inbox == NULL) {
			bus_fini(bus);
			return -EMFILE;
		}
		worker_init(&station->thread);
		bus->n++;
	}
	return 0;
}

void bus_begin(struct bus *bus, const struct run *run)
{
	for (size_t i = 0; i < bus->n; i++) {
		const struct consumer *consumer = &bus->stations[i].consumer;

		if (consumer->begin != NULL)
			consumer->begin(consumer->self, run);
	}
}

static void station_end(struct station *station)
{
	if (station->consumer.end != NULL)
		station->consumer.end(station->consumer.self, station->end);
}

static void station_work(void *arg)
{
	struct station *station = arg;
	struct pollfd ready = {.fd = inbox_fd(station->inbox), .events = POLLIN};

	station->consumer.serve(station->consumer.self, station->inbox);
	while (!inbox_ended(station->inbox)) {
		poll(&ready, 1, -1);
		tick_unref(inbox_take(station->inbox, NULL));
	}
	station_end(station);
}

void bus_start(struct bus *bus)
{
	for (size_t i = 0; i < bus->n; i++) {
		struct station *station = &bus->stations[i];
		int error = 0;

		if (station->consumer.serve != NULL)
			error = worker_start(&station->thread, station->consumer.name, station_work, station);
		if (error < 0)
			log_say("no thread for the %s: %s", station->consumer.name, strerror(-error));
	}
}

void bus_put(struct bus *bus, struct tick *tick)
{
	for (size_t i = 0; i < bus->n; i++)
		inbox_put(bus->stations[i].inbox, tick);
}

size_t bus_poll(const struct bus *bus, struct pollfd *fds)
{
	size_t used = 0;

	for (size_t i = 0; i < bus->n; i++)
		if (bus->stations[i].consumer.serve == NULL)
			fds[used++] =
				(struct pollfd){.fd = inbox_fd(bus->stations[i].inbox), .events = POLLIN};
	return used;
}

void bus_serve_inline(struct bus *bus)
{
	for (size_t i = 0; i < bus->n; i++) {
		struct station *station = &bus->stations[i];
		struct tick *tick;
		uint64_t dropped;

		if (station->consumer.serve != NULL)
			continue;
		while ((tick = inbox_take(station->inbox, &dropped)) != NULL) {
			if (station->consumer.tick != NULL)
				station->consumer.tick(station->consumer.self, tick, dropped);
			tick_unref(tick);
		}
	}
}

void bus_close(struct bus *bus, const struct run_end *end)
{
	bus_serve_inline(bus);
	for (size_t i = 0; i < bus->n; i++) {
		struct station *station = &bus->stations[i];

		station->end = end;
		inbox_close(station->inbox);
		if (!worker_started(&station->thread))
			station_end(station);
	}
}

void bus_fini(struct bus *bus)
{
	for (size_t i = 0; i < bus->n; i++)
		inbox_free(bus->stations[i].inbox);
	free(bus->stations);
	*bus = (struct bus){0};
}
