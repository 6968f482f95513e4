/* SPDX-License-Identifier: MIT
 *
 * ncurses on a terminal of our own opening, never on stdin or stdout: those are the build's. newterm() is
 * kept from what it likes to do besides, namely to catch signals. Whatever state the terminal was in when we
 * came is what it is given back in.
 */
#include "terminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/mem.h"
#include "crash.h"
#include "theme.h"

#define LEAVE_PATIENCE_MS 1000
#define ESCAPE_DELAY_MS	  50
#define PASTE_ON	  "\033[?2004h" /* pasted text comes between marks; who does not know it, ignores it */
#define PASTE_OFF	  "\033[?2004l"
#define IDLE_WAKEUPS_MAX  8 /* readable, and yet nothing to read: end of file */

struct terminal {
	int fd;
	FILE *file; /* on fd */
	SCREEN *screen;
	bool taken;
	int idle_wakeups;
	struct termios modes; /* as we found them */
};

static int open_tty(struct why *why)
{
	int fd = fd_open("/dev/tty", O_RDWR | O_NOCTTY, 0);

	return fd < 0 ? why_set(why, fd, "there is no terminal to show a screen on") : fd;
}

int terminal_check(struct why *why)
{
	const char *name = getenv("TERM");
	int fd, error = 0, status = 0;

	if (!name || !*name)
		return why_set(why, -ENOTTY, "TERM is not set, so what the terminal can do is not known");
	fd = open_tty(why);
	if (fd < 0)
		return fd;
	if (setupterm(name, fd, &status) != OK)
		error = why_set(why, -ENOTTY, "no description of the terminal %s is installed here", name);
	else if (!cursor_address || !clear_screen || generic_type || hard_copy)
		error = why_set(why, -ENOTTY, "the terminal %s cannot show a screen", name);
	if (cur_term)
		del_curterm(cur_term);
	close(fd);
	return error;
}

int terminal_open(struct terminal **out, struct why *why)
{
	struct terminal *terminal;
	int fd = open_tty(why);

	if (fd < 0)
		return fd;
	terminal = mem_alloc(1, sizeof *terminal);
	terminal->fd = fd;
	if (tcgetattr(fd, &terminal->modes) != 0 || !(terminal->file = fdopen(fd, "r+"))) {
		int error = errno;

		close(fd);
		free(terminal);
		return why_set(why, -error, "the terminal cannot be used: %s", strerror(error));
	}
	*out = terminal;
	return 0;
}

void terminal_close(struct terminal *terminal)
{
	if (!terminal)
		return;
	terminal_leave(terminal);
	if (terminal->screen)
		delscreen(terminal->screen);
	fclose(terminal->file);
	free(terminal);
}

int terminal_fd(const struct terminal *terminal)
{
	return terminal->fd;
}

void terminal_size(const struct terminal *terminal, int *rows, int *cols)
{
	struct winsize size = {0};

	ioctl(terminal->fd, TIOCGWINSZ, &size);
	*rows = size.ws_row ? size.ws_row : 24; /* serial lines say 0x0 */
	*cols = size.ws_col ? size.ws_col : 80;
}

/* newterm() without the handlers it would leave behind: signals are the main thread's. */
static SCREEN *new_screen(FILE *file)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
	struct sigaction before[sizeof numbers / sizeof *numbers];
	SCREEN *screen;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], NULL, &before[i]);
	screen = newterm(NULL, file, file);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &before[i], NULL);
	return screen;
}

/* Behind what ncurses still has to send. A VT100 and its like know no such sequences. */
static void say_raw(const struct terminal *terminal, const char *sequence)
{
	fflush(terminal->file);
	if (fd_write_all(terminal->fd, sequence, strlen(sequence)) < 0)
		return; /* it is seen soon enough that the terminal has gone */
}

/* What leaves the screen, made ready while there is time. */
static void arm(const struct terminal *terminal)
{
	const char *const strings[] = {
		PASTE_OFF, orig_pair, exit_attribute_mode, cursor_normal, keypad_local, exit_ca_mode, "\r"};
	char bytes[512];
	size_t len = 0;

	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
		size_t n = strings[i] ? strlen(strings[i]) : 0;

		if (len + n <= sizeof bytes && n)
			memcpy(bytes + len, strings[i], n);
		len += len + n <= sizeof bytes ? n : 0;
	}
	crash_arm(terminal->fd, &terminal->modes, bytes, len);
}

int terminal_enter(struct terminal *terminal, struct why *why)
{
	if (terminal->taken)
		return 0;
	tcgetattr(terminal->fd, &terminal->modes);
	if (!terminal->screen) {
		terminal->screen = new_screen(terminal->file);
		if (!terminal->screen)
			return why_set(why, -ENOTTY, "the terminal %s cannot show a screen", getenv("TERM"));
		set_escdelay(ESCAPE_DELAY_MS);
		theme_init();
	} else {
		fcntl(terminal->fd, F_SETFL, O_RDWR); /* after an emergency exit */
		def_shell_mode(); /* what endwin() gives back: the shell may have changed it while we were
				     stopped */
		reset_prog_mode();
	}
	arm(terminal);
	terminal->taken = true;
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	leaveok(stdscr, TRUE);
	define_key("\033[200~", TERMINAL_PASTE_BEGIN);
	define_key("\033[201~", TERMINAL_PASTE_END);
	say_raw(terminal, PASTE_ON);
	terminal_resized(terminal);
	return 0;
}

void terminal_leave(struct terminal *terminal)
{
	struct pollfd poll_fd = {.fd = terminal->fd, .events = POLLOUT};

	if (!terminal->taken)
		return;
	terminal->taken = false;
	/* endwin() waits until all is written; who takes nothing for a second gets no more than the modes. */
	if (poll(&poll_fd, 1, LEAVE_PATIENCE_MS) == 1 && poll_fd.revents == POLLOUT) {
		move(LINES - 1, 0);
		say_raw(terminal, PASTE_OFF);
		endwin();
		tcsetattr(terminal->fd, TCSANOW, &terminal->modes);
		crash_disarm();
	} else {
		crash_restore();
	}
}

void terminal_resized(struct terminal *terminal)
{
	int rows, cols;

	if (!terminal->taken)
		return;
	terminal_size(terminal, &rows, &cols);
	resizeterm(rows, cols);
	terminal_redraw();
}

bool terminal_writable(const struct terminal *terminal)
{
	struct pollfd poll_fd = {.fd = terminal->fd, .events = POLLOUT};

	return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLOUT;
}

void terminal_redraw(void)
{
	clearok(curscr, TRUE);
}

void terminal_bell(struct terminal *terminal)
{
	if (terminal_writable(terminal))
		beep();
}

void terminal_flash(struct terminal *terminal)
{
	if (terminal_writable(terminal))
		flash();
}

void terminal_tell(struct terminal *terminal, const char *sequence)
{
	if (terminal->taken && terminal_writable(terminal))
		say_raw(terminal, sequence);
}

int terminal_key(struct terminal *terminal)
{
	int key = getch();

	if (key == ERR)
		return -1;
	terminal->idle_wakeups = 0;
	return key;
}

bool terminal_gone(struct terminal *terminal, short revents)
{
	int waiting = 0;

	if (revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	if (!(revents & POLLIN))
		return false;
	if (ioctl(terminal->fd, FIONREAD, &waiting) == 0 && waiting > 0)
		return false;
	return ++terminal->idle_wakeups > IDLE_WAKEUPS_MAX;
}
