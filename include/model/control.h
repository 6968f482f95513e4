/* SPDX-License-Identifier: MIT
 *
 * Two mailboxes between a screen and whoever feeds it: the screen asks (stop the build, seek, …), the session tells (resize,
 * leave the terminal, …). Neither waits for the other. One thread on each side.
 */
#ifndef MODEL_CONTROL_H
#define MODEL_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* screen -> session */
enum control_ask {
	CONTROL_ASK_NONE,
	/* live */
	CONTROL_ASK_CLOSE,     /* go on without the screen (it is closed already) */
	CONTROL_ASK_STOP,      /* stop the build: SIGTERM now, SIGKILL when asked again */
	CONTROL_ASK_TYPE,      /* arg: one byte typed to the build's terminal (3 is Ctrl-C) */
	CONTROL_ASK_SUSPEND,   /* Ctrl-Z: the terminal is restored; stop the build and ourselves */
	CONTROL_ASK_PTY_SIZE,  /* arg: rows << 16 | columns of the build's terminal */
	/* replay; CLOSE ends it */
	CONTROL_ASK_PLAY,      /* arg: speed in eighths (8 is real time), 0: pause */
	CONTROL_ASK_STEP,      /* arg: ticks, may be negative */
	CONTROL_ASK_SEEK,      /* arg: CLOCK_MONOTONIC of the recording, ns; clamped */
};

/* session -> screen */
enum control_tell {
	CONTROL_TELL_NONE,
	CONTROL_TELL_RESIZE,  /* the terminal's size may have changed */
	CONTROL_TELL_LEAVE,   /* restore the terminal, then ask CONTROL_ASK_SUSPEND */
	CONTROL_TELL_RETURN,  /* continued: take the terminal again, draw all */
	CONTROL_TELL_END,     /* the run is over or we are told to go: restore the terminal and return */
	CONTROL_TELL_LINE,    /* a line of ours waits: control_told_line() */
	CONTROL_TELL_POSITION, /* replay: arg is the speed in eighths now (0: paused), told after PLAY */
	CONTROL_TELL_TIMELINE, /* replay: more of the run is known; take it by control_take_timeline() */
};

struct control;

struct control *control_new(void);
void control_free(struct control *control);

void control_ask(struct control *control, enum control_ask ask, int64_t arg);
bool control_asked(struct control *control, enum control_ask *ask, int64_t *arg); /* false: nothing */
int control_asked_fd(const struct control *control);

void control_tell(struct control *control, enum control_tell tell, int64_t arg);
bool control_told(struct control *control, enum control_tell *tell, int64_t *arg);
int control_told_fd(const struct control *control);

struct timeline;

/* Hands the run over as far as it is known, and tells of it. The control takes it; one that was not taken is freed. */
void control_give_timeline(struct control *control, struct timeline *timeline);
struct timeline *control_take_timeline(struct control *control); /* the newest, yours; NULL: taken already */

/* What buildtop has to say while a screen is up. A full box forgets the line; it is said again when the screen has closed. */
void control_tell_line(struct control *control, const char *line);
char *control_told_line(struct control *control); /* yours to free(); NULL: none */

#endif
