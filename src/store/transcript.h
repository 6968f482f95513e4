/* SPDX-License-Identifier: MIT
 *
 * The build's output, kept beside the recording: what the tape has is appended to a file. What the tape had
 * lost already, or the disk refused, is marked in it and counted. On the recorder's thread.
 */
#ifndef STORE_TRANSCRIPT_H
#define STORE_TRANSCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/tape.h"
#include "base/why.h"

struct transcript {
	int fd; /* -1: none */
	char *path;
	const struct tape *tape;
	uint64_t position;
	uint64_t lost;	      /* in all */
	uint64_t lost_untold; /* of it, not yet marked in the file */
	bool told;
};

/* Opens `recording`.log for what comes over the tape. */
int transcript_open(struct transcript *transcript, const char *recording, const struct tape *tape,
		    struct why *why);
void transcript_close(struct transcript *transcript, bool remove);
/* Appends what is on the tape now. */
void transcript_follow(struct transcript *transcript);

#endif
