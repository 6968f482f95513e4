/* SPDX-License-Identifier: MIT
 *
 * One terminal, prepared in advance, since a signal handler can prepare nothing. The handler uses
 * async-signal-safe calls only, puts back the disposition it found and raises the signal again: the program
 * dies of what it died of, and a sanitizer or a core dump still has its say. Armed and disarmed by the
 * screen's thread; any thread may crash.
 */
#include "crash.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
#define N_SIGNALS (sizeof signals / sizeof *signals)

static struct {
	atomic_bool armed;
	int fd;
	struct termios modes;
	char bytes[512];
	size_t len;
	struct sigaction before[N_SIGNALS];
} crash;

static _Alignas(16) char alternate[64 * 1024];

void crash_restore(void)
{
	ssize_t ignored;

	if (!atomic_exchange(&crash.armed, false))
		return;
	tcsetattr(crash.fd, TCSANOW, &crash.modes);
	fcntl(crash.fd, F_SETFL, O_RDWR | O_NONBLOCK); /* the description is ours alone */
	ignored = write(crash.fd, crash.bytes, crash.len);
	(void)ignored;
}

static void handle(int number)
{
	crash_restore();
	for (size_t i = 0; i < N_SIGNALS; i++)
		if (signals[i] == number)
			sigaction(number, &crash.before[i], NULL);
	raise(number);
}

/* Handlers stay installed between arming and disarming; the first time is enough, and exit() has no way back.
 */
static void install(void)
{
	static bool installed;
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

	if (installed)
		return;
	installed = true;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigaction(signals[i], &action, &crash.before[i]);
	atexit(crash_restore);
}

void crash_arm(int fd, const struct termios *modes, const char *bytes, size_t len)
{
	stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate}, present;

	if (sigaltstack(NULL, &present) == 0 && present.ss_flags & SS_DISABLE)
		sigaltstack(&stack, NULL);
	crash.fd = fd;
	crash.modes = *modes;
	crash.len = len < sizeof crash.bytes ? len : sizeof crash.bytes;
	memcpy(crash.bytes, bytes, crash.len);
	install();
	atomic_store(&crash.armed, true);
}

void crash_disarm(void)
{
	atomic_store(&crash.armed, false);
}
