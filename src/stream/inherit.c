/* SPDX-License-Identifier: MIT
 *
 * Knows the signal mask, the ignored signals and the limit of descriptors as they were when the program
 * started: what exec hands on and what we change for ourselves. Environment, umask, nice value and directory
 * are never changed, so they are not kept. Written once on the main thread, before there are others; read in
 * the child between fork and exec.
 */
#include "inherit.h"

#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>

#include "stream/session.h"

static struct {
	bool saved;
	sigset_t mask;
	bool ignored[NSIG];
	struct rlimit descriptors;
	bool has_descriptors;
} inherited;

void inherit_save(void)
{
	if (inherited.saved)
		return;
	inherited.saved = true;
	sigprocmask(SIG_SETMASK, NULL, &inherited.mask);
	for (int signal = 1; signal < NSIG; signal++) {
		struct sigaction action;

		inherited.ignored[signal] =
			sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
	}
	inherited.has_descriptors = getrlimit(RLIMIT_NOFILE, &inherited.descriptors) == 0;
}

void inherit_restore(void)
{
	for (int signal = 1; signal < NSIG; signal++) {
		struct sigaction action = {.sa_handler = inherited.ignored[signal] ? SIG_IGN : SIG_DFL};

		sigaction(signal, &action, NULL); /* fails for those of libc and for SIGKILL, SIGSTOP: fine */
	}
	if (inherited.has_descriptors)
		setrlimit(RLIMIT_NOFILE, &inherited.descriptors);
	sigprocmask(SIG_SETMASK, &inherited.mask, NULL);
}

bool inherit_ignored(int signal)
{
	return inherited.ignored[signal];
}

void session_save_inheritance(void)
{
	inherit_save();
}
