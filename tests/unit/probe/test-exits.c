/* SPDX-License-Identifier: MIT
 *
 * The ends of processes, from made-up rings: what goes around the end of one, comes in the wrong order or not
 * at all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/probe/exits.h"

#define RING_SIZE 4096

/* A ring and its writer. */
struct scene {
	struct perf_event_mmap_page *page;
	uint8_t *data;
	struct perf_ring ring;
	struct exits exits;
	struct sample *sample;
};

static void scene_begin(struct scene *scene, uint64_t at)
{
	memset(scene, 0, sizeof *scene);
	scene->page = calloc(1, sizeof *scene->page);
	scene->data = calloc(1, RING_SIZE);
	scene->page->data_head = scene->page->data_tail = at;
	perf_ring_attach(&scene->ring, scene->page, scene->data, RING_SIZE);
	scene->exits.state = EXITS_ON;
	scene->sample = sample_new();
}

static void scene_end(struct scene *scene)
{
	perf_ring_close(&scene->ring);
	exits_close(&scene->exits);
	sample_free(scene->sample);
	free(scene->page);
	free(scene->data);
}

static void put(struct scene *scene, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;

	for (size_t i = 0; i < len; i++)
		scene->data[scene->page->data_head++ % RING_SIZE] = from[i];
}

static void put_header(struct scene *scene, uint32_t type, size_t size)
{
	struct perf_event_header header = {.type = type, .size = (uint16_t)size};

	put(scene, &header, sizeof header);
}

static void put_trailer(struct scene *scene, uint32_t pid, uint32_t tid, uint64_t time)
{
	const uint32_t ids[] = {pid, tid};

	put(scene, ids, sizeof ids);
	put(scene, &time, sizeof time);
}

/* A fork or an exit. */
static void put_task(struct scene *scene, uint32_t type, uint32_t pid, uint32_t ppid, uint32_t tid,
		     uint64_t time)
{
	const uint32_t ids[] = {pid, ppid, tid, ppid};

	put_header(scene, type, 48);
	put(scene, ids, sizeof ids);
	put(scene, &time, sizeof time);
	put_trailer(scene, pid, tid, time);
}

static void put_comm(struct scene *scene, uint32_t pid, const char *comm, uint64_t time)
{
	const uint32_t ids[] = {pid, pid};
	char name[16] = "";

	strncpy(name, comm, sizeof name - 1);
	put_header(scene, PERF_RECORD_COMM, 48);
	put(scene, ids, sizeof ids);
	put(scene, name, sizeof name);
	put_trailer(scene, pid, pid, time);
}

static void put_switch(struct scene *scene, uint32_t pid, uint32_t tid, bool leaves, uint64_t time)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SWITCH, .misc = leaves ? PERF_RECORD_MISC_SWITCH_OUT : 0, .size = 24};

	put(scene, &header, sizeof header);
	put_trailer(scene, pid, tid, time);
}

static void put_lost(struct scene *scene, uint64_t lost, uint64_t time)
{
	const uint64_t words[] = {1, lost};

	put_header(scene, PERF_RECORD_LOST, 40);
	put(scene, words, sizeof words);
	put_trailer(scene, 1, 1, time);
}

static void one_life(struct scene *scene, uint32_t pid, uint64_t time)
{
	put_task(scene, PERF_RECORD_FORK, pid, 1, pid, time);
	put_switch(scene, pid, pid, false, time + 500000);
	put_comm(scene, pid, "cc1", time + 1000000);
	put_switch(scene, pid, pid, true, time + 3500000);
	put_switch(scene, pid, pid, false, time + 5000000); /* on the other CPU */
	put_task(scene, PERF_RECORD_EXIT, pid, 1, pid, time + 9000000);
}

static void reading(struct scene *scene, int64_t until_ns)
{
	exits_take(&scene->exits, &scene->ring);
	exits_understand(&scene->exits, until_ns);
	exits_tell(&scene->exits, scene->sample);
}

static void a_life(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene, 0);
	one_life(&scene, 70, 1000000000);
	reading(&scene, INT64_MAX);
	assert_int_equal(scene.sample->n_exits, 0); /* more may come of it */
	reading(&scene, INT64_MAX);
	assert_int_equal(scene.sample->n_exits, 1);
	assert_int_equal(scene.sample->exits[0].pid, 70);
	assert_int_equal(scene.sample->exits[0].ppid, 1);
	assert_int_equal(scene.sample->exits[0].start_ns, 1000000000);
	assert_int_equal(scene.sample->exits[0].end_ns, 1009000000);
	assert_int_equal(scene.sample->exits[0].cpu_us, 7000);
	assert_string_equal(sample_string(scene.sample, scene.sample->exits[0].comm, NULL), "cc1");
	assert_int_equal(scene.page->data_tail, scene.page->data_head);
	reading(&scene, INT64_MAX);
	assert_int_equal(scene.sample->n_exits, 1); /* once */
	scene_end(&scene);
}

static void around_the_end(void **state)
{
	(void)state;
	for (uint64_t at = RING_SIZE - 200; at <= RING_SIZE; at += 8) {
		struct scene scene;

		scene_begin(&scene, at);
		one_life(&scene, 70, 1000000000);
		reading(&scene, INT64_MAX);
		reading(&scene, INT64_MAX);
		assert_int_equal(scene.sample->n_exits, 1);
		assert_int_equal(scene.sample->exits[0].cpu_us, 7000);
		assert_string_equal(sample_string(scene.sample, scene.sample->exits[0].comm, NULL), "cc1");
		scene_end(&scene);
	}
}

/* The name comes from a CPU that is read before the one that forked. */
static void wrong_order(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene, 0);
	put_comm(&scene, 70, "ld", 1002000000);
	put_task(&scene, PERF_RECORD_FORK, 70, 1, 70, 1001000000);
	put_task(&scene, PERF_RECORD_EXIT, 70, 1, 70, 1003000000);
	reading(&scene, 1002500000); /* the rest is too young */
	assert_int_equal(scene.exits.n_events, 1);
	reading(&scene, INT64_MAX);
	reading(&scene, INT64_MAX);
	assert_int_equal(scene.sample->n_exits, 1);
	assert_string_equal(sample_string(scene.sample, scene.sample->exits[0].comm, NULL), "ld");
	assert_true(scene.sample->exits[0].cpu_us ==
		    METRIC_NA); /* it never came to a CPU: something is missing */
	scene_end(&scene);
}

static void threads(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene, 0);
	put_task(&scene, PERF_RECORD_FORK, 70, 1, 70, 1000000000);
	put_task(&scene, PERF_RECORD_FORK, 70, 70, 71, 1001000000);
	put_switch(&scene, 70, 70, false, 1000500000);
	put_switch(&scene, 70, 71, false, 1001500000);
	put_task(&scene, PERF_RECORD_EXIT, 70, 70, 71, 1002000000);
	reading(&scene, INT64_MAX);
	reading(&scene, INT64_MAX);
	assert_int_equal(scene.sample->n_exits, 0); /* its leader lives */
	put_task(&scene, PERF_RECORD_EXIT, 70, 70, 70, 1003000000);
	reading(&scene, INT64_MAX);
	reading(&scene, INT64_MAX);
	assert_int_equal(scene.sample->n_exits, 1);
	assert_int_equal(scene.sample->exits[0].cpu_us, 2500 + 500);
	scene_end(&scene);
}

/* A child has its parent's name until it is exec'd; a pid may come again. */
static void names_and_pids(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene, 0);
	put_task(&scene, PERF_RECORD_FORK, 60, 1, 60, 900000000);
	put_comm(&scene, 60, "make", 900100000);
	for (uint64_t i = 0; i < 2; i++) {
		put_task(&scene, PERF_RECORD_FORK, 70, 60, 70, 1000000000 + i * 100000000);
		put_switch(&scene, 70, 70, false, 1009000000 + i * 99000000);
		put_task(&scene, PERF_RECORD_EXIT, 70, 60, 70, 1010000000 + i * 100000000);
		reading(&scene, INT64_MAX);
		reading(&scene, INT64_MAX);
	}
	assert_int_equal(scene.sample->n_exits, 2);
	assert_int_equal(scene.sample->exits[0].cpu_us, 1000);
	assert_int_equal(scene.sample->exits[1].cpu_us, 2000);
	assert_string_equal(sample_string(scene.sample, scene.sample->exits[1].comm, NULL), "make");
	scene_end(&scene);
}

static void losses_and_nonsense(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene, 0);
	put_lost(&scene, 17, 1);
	put_task(&scene, PERF_RECORD_EXIT, 99, 1, 99, 2); /* its fork was lost */
	put_switch(&scene, 99, 99, false, 3);
	put_header(&scene, PERF_RECORD_FORK, 16); /* too short to be one */
	put(&scene, "12345678", 8);
	put_header(&scene, 4711, 8);
	one_life(&scene, 70, 1000000000);
	put_header(&scene, PERF_RECORD_FORK, 0); /* would never end */
	reading(&scene, INT64_MAX);
	reading(&scene, INT64_MAX);
	assert_int_equal(scene.exits.lost, 17);
	assert_int_equal(scene.sample->n_exits, 1);
	assert_int_equal(scene.sample->exits[0].pid, 70);
	assert_int_equal(scene.page->data_tail, scene.page->data_head);
	scene_end(&scene);
}

/* 300 processes of 0.05 ms in two seconds on 8 CPUs: counting would cost a third of what they do. */
static void given_up(void **state)
{
	struct scene scene;

	(void)state;
	for (int dear = 0; dear < 2; dear++) {
		scene_begin(&scene, 0);
		scene.exits.rings = calloc(8, sizeof *scene.exits.rings);
		scene.exits.n_rings = 8;
		for (int i = 0; i < 8; i++)
			scene.exits.rings[i].fd = -1;
		scene.exits.ended = 300;
		scene.exits.ended_cpu_us = dear ? 300 * 50 : 300 * 50000;
		scene.sample->mono_ns = 3000000000;
		exits_tick(&scene.exits, scene.sample);
		assert_int_equal(scene.exits.state, dear ? EXITS_GIVEN_UP : EXITS_ON);
		exits_tick(&scene.exits, scene.sample);
		exits_close(&scene.exits);
		scene_end(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_life),	  cmocka_unit_test(around_the_end),
		cmocka_unit_test(wrong_order),	  cmocka_unit_test(threads),
		cmocka_unit_test(names_and_pids), cmocka_unit_test(losses_and_nonsense),
		cmocka_unit_test(given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
