/* SPDX-License-Identifier: MIT */
#include "server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUEST_BYTES_MAX 16384
#define REQUEST_MARK	  "\001"

/* Reads one request, head and body, and tells the test. */
static void take_request(int connection, int tell)
{
	char request[REQUEST_BYTES_MAX + 1] = "";
	size_t len = 0, wanted = sizeof request - 1;
	while (len < wanted) {
		ssize_t got = read(connection, request + len, sizeof request - 1 - len);
		if (got <= 0)
			break;
		len += (size_t)got;
		request[len] = '\0';
		const char *body = strstr(request, "\r\n\r\n");
		const char *length = strcasestr(request, "content-length:");
		if (body != NULL && length != NULL)
			wanted = (size_t)(body + 4 - request) + strtoul(length + 15, NULL, 10);
	}
	if (write(tell, request, len) < 0 || write(tell, REQUEST_MARK, 1) < 0)
		_exit(1);
}

static void wait_until_gone(int connection)
{
	char byte;
	while (read(connection, &byte, 1) > 0)
		;
}

static void play(int connection, const struct server_step *step)
{
	switch (step->kind) {
	case SERVER_ANSWER:
		send(connection, step->answer, strlen(step->answer), MSG_NOSIGNAL);
		for (size_t i = 0; i < step->filler; i++)
			send(connection, "x", 1, MSG_NOSIGNAL);
		break;
	case SERVER_INTERRUPT:
		kill(getppid(), SIGINT);
		wait_until_gone(connection);
		break;
	case SERVER_HANG:
		wait_until_gone(connection);
		break;
	case SERVER_DRIP:
		send(connection, "HTTP/1.1 200 OK\r\nX: ", 20, MSG_NOSIGNAL);
		while (send(connection, "x", 1, MSG_NOSIGNAL) == 1)
			usleep(10000);
		break;
	}
}

static void serve(int listener, int tell, const struct server_step *steps, size_t n)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < n; i++) {
		int connection = accept(listener, NULL, NULL);
		if (connection < 0)
			_exit(1);
		take_request(connection, tell);
		play(connection, &steps[i]);
		close(connection);
	}
	_exit(0);
}

void server_start(struct server *server, const struct server_step *steps, size_t n)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int ends[2];
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) < 0 ||
	    listen(listener, 8) < 0 || getsockname(listener, (struct sockaddr *)&address, &size) < 0 ||
	    pipe(ends) < 0)
		abort();
	server->port = ntohs(address.sin_port);
	server->requests = ends[0];
	server->pid = fork();
	if (server->pid == 0) {
		close(ends[0]);
		serve(listener, ends[1], steps, n);
	}
	close(ends[1]);
	close(listener);
}

size_t server_stop(struct server *server, char *text, size_t size)
{
	size_t len = 0, count = 0;
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
	for (ssize_t got; len + 1 < size && (got = read(server->requests, text + len, size - 1 - len)) > 0;)
		len += (size_t)got;
	close(server->requests);
	text[len] = '\0';
	for (size_t i = 0; i < len; i++)
		count += text[i] == REQUEST_MARK[0];
	return count;
}
