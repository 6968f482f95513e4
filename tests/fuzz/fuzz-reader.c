/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a recording: read to the end, jumped about in, judged as replay would.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "diagnose/diagnose.h"
#include "model/tick.h"
#include "store/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(struct reader *reader)
{
	struct diagnose *diagnose = diagnose_new(reader_run(reader));
	size_t frames = 0;
	for (int samples = 0; samples < 2000; samples++) {
		struct sample *sample = sample_new();
		frames = reader_frame(reader);
		if (reader_next(reader, sample) <= 0) {
			sample_free(sample);
			break;
		}
		tick_unref(diagnose_step(diagnose, sample));
	}
	diagnose_free(diagnose);
	struct sample *sample = sample_new();
	for (size_t frame = frames + 2; frame-- > 0 && frame + 20 > frames;)
		if (reader_seek(reader, frame) == 0)
			reader_next(reader, sample);
	sample_free(sample);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	char path[64];
	struct reader *reader;
	struct why why;
	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (reader_open(&reader, path, &why) < 0)
		return 0;
	read_all(reader);
	reader_damage(reader);
	reader_end(reader);
	reader_close(reader);
	return 0;
}
