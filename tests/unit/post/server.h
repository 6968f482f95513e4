/* SPDX-License-Identifier: MIT
 *
 * A results server of the test's own on the loopback interface: plays its steps one after the other, a
 * connection each.
 */
#ifndef TESTS_POST_SERVER_H
#define TESTS_POST_SERVER_H

#include <stddef.h>
#include <sys/types.h>

enum server_step_kind {
	SERVER_ANSWER,	  /* sends the text */
	SERVER_HANG,	  /* takes the request and says nothing */
	SERVER_DRIP,	  /* a byte now and then */
	SERVER_INTERRUPT, /* sends us SIGINT, and says nothing */
};

struct server_step {
	enum server_step_kind kind;
	const char *answer;
	size_t filler; /* bytes of body behind the answer */
};

struct server {
	pid_t pid;
	int port;
	int requests; /* descriptor to read what was asked from, requests joined */
};

void server_start(struct server *server, const struct server_step *steps, size_t n);
/* Ends it; what it was asked goes to text, NUL-terminated. Gives the number of requests. */
size_t server_stop(struct server *server, char *text, size_t size);

#endif
