/* SPDX-License-Identifier: MIT
 *
 * Sections of a tag, a length and so many bytes, behind all that version 1 began with. One that is not known
 * is passed over, so more can follow. Few mounts have notes and most samples none: they are written whole
 * each time, and stand on no sample before.
 */
#include "notes.h"

#include "format.h"

static void string_put(struct buf *out, const struct sample *sample, uint32_t offset)
{
	size_t len;
	const char *string = sample_string(sample, offset, &len);

	put_bytes(out, string, len);
}

void notes_put(struct buf *out, const struct sample *sample)
{
	struct buf section = {0};

	for (size_t i = 0; i < sample->n_mounts; i++) {
		const struct mount_row *row = &sample->mounts[i];

		if (!row->writers && !row->largest)
			continue;
		put_varint(&section, i);
		string_put(&section, sample, row->writers);
		string_put(&section, sample, row->largest);
	}
	if (section.len > 0) {
		put_varint(out, SECTION_MOUNT_NOTES);
		put_bytes(out, section.data, section.len);
	}
	buf_fini(&section);
}

static uint32_t string_get(struct scan *scan, struct sample *sample)
{
	size_t len = 0;
	const uint8_t *bytes = get_bytes(scan, LIMIT_STRING_BYTES, &len);

	if (len > LIMIT_STRINGS_BYTES || sample->strings_len > LIMIT_STRINGS_BYTES - len)
		scan->bad = true;
	return bytes && !scan->bad ? sample_add_string(sample, (const char *)bytes, len) : 0;
}

static void mount_notes_get(struct scan *scan, struct sample *sample)
{
	while (scan_left(scan) > 0 && !scan->bad) {
		uint64_t index = get_varint(scan);
		uint32_t writers = string_get(scan, sample), largest = string_get(scan, sample);

		if (scan->bad || index >= sample->n_mounts)
			return;
		sample->mounts[index].writers = writers;
		sample->mounts[index].largest = largest;
	}
}

void notes_get(struct scan *scan, struct sample *sample)
{
	while (!scan->bad && scan_left(scan) > 0) {
		uint64_t tag = get_varint(scan);
		size_t len = 0;
		const uint8_t *bytes = get_bytes(scan, LIMIT_RECORD_BYTES, &len);

		if (bytes && !scan->bad && tag == SECTION_MOUNT_NOTES) {
			struct scan section = scan_of(bytes, len);

			mount_notes_get(&section, sample);
		}
	}
}
