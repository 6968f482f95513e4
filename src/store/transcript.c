/* SPDX-License-Identifier: MIT
 *
 * Output is not queued when the disk refuses it: it is large, and the tape and the screen show its end
 * anyway.
 */
#include "transcript.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"

#define CHUNK 65536

int transcript_open(struct transcript *transcript, const char *recording, const struct tape *tape,
		    struct why *why)
{
	struct buf path = {0};
	buf_add_format(&path, "%s.log", recording);
	*transcript = (struct transcript){.tape = tape, .path = path.data};
	transcript->fd = fd_open(path.data, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0600);
	if (transcript->fd >= 0)
		return 0;
	int error = transcript->fd;
	why_set(why, error, "cannot keep the output of the build in %s: %s", path.data, strerror(-error));
	free(transcript->path);
	transcript->path = NULL;
	return error;
}

void transcript_close(struct transcript *transcript, bool remove)
{
	if (transcript->fd >= 0) {
		if (remove)
			unlink(transcript->path);
		close(transcript->fd);
	}
	transcript->fd = -1;
	free(transcript->path);
	transcript->path = NULL;
}

/* False: the rest of the bytes is lost. */
static bool transcript_write(struct transcript *transcript, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(transcript->fd, bytes, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			if (!transcript->told)
				log_say("keeping the output in %s: %s", transcript->path, strerror(errno));
			transcript->told = true;
			transcript->lost += len;
			transcript->lost_untold += len;
			return false;
		}
		bytes += n;
		len -= (size_t)n;
	}
	return true;
}

/* False: there is no room for the mark either. */
static bool transcript_mark(struct transcript *transcript)
{
	char mark[80];
	int len = snprintf(mark, sizeof mark, "\n[buildtop: %llu bytes of output lost here]\n",
			   (unsigned long long)transcript->lost_untold);
	if (write(transcript->fd, mark, (size_t)len) != len)
		return false;
	transcript->lost_untold = 0;
	transcript->told = false;
	return true;
}

void transcript_follow(struct transcript *transcript)
{
	if (transcript->fd < 0)
		return;
	char *chunk = mem_alloc(CHUNK, 1);
	uint64_t end = tape_end(transcript->tape); /* what comes meanwhile is for the next time */
	while (transcript->position < end) {
		uint64_t gone = 0;
		size_t len = tape_read(transcript->tape, &transcript->position, chunk, CHUNK, &gone);
		transcript->lost += gone;
		transcript->lost_untold += gone;
		if (transcript->lost_untold > 0 && !transcript_mark(transcript)) {
			transcript->lost += len;
			transcript->lost_untold += len;
			continue;
		}
		transcript_write(transcript, chunk, len);
	}
	free(chunk);
}
