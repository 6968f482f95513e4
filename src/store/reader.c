/* SPDX-License-Identifier: MIT
 *
 * From frame to frame and record to record. A frame that is in the file as a whole is unpacked and its
 * checksum looked at before a sample of it is handed out; of one that is cut or still being written, the
 * records that are complete, each by its own checksum. After damage the search for the next frame begins one
 * byte behind the start of the bad one, so that a wrong length never hides what follows.
 */
#include "store/reader.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/mem.h"
#include "damage.h"
#include "decode.h"
#include "format.h"
#include "header.h"
#include "index.h"
#include "places.h"
#include "record.h"
#include "source.h"
#include "varint.h"

/* The frame at hand. */
struct frame {
	bool active;
	bool ended; /* all of it is unpacked and consumed */
	size_t number;
	uint64_t offset;
	size_t fed;	 /* of its bytes in the window, while it is not ended */
	size_t searched; /* bytes behind its start in which no other frame begins */
	size_t size;	 /* unpacked so far */
	struct buf plain;
	size_t plain_at;
};

struct reader {
	struct source source;
	struct run *unknown; /* the run while the header is not in the file */
	struct header header;
	struct decoder *decoder; /* NULL until the header was read */
	ZSTD_DCtx *unpacker;
	struct frame frame;
	struct places places;
	struct damage damage;

	bool searching; /* for a frame, after damage */
	bool over;	/* another recording follows: not ours */
	bool at_end;	/* of what the file had at the last call */
	bool index_passed;
	bool knows_expected;
	uint64_t expected; /* number of the next sample, when nothing is missing */
	bool has_end, end_passed;
	struct run_end end;
};

/* Opening */

static void index_load(struct reader *reader)
{
	uint8_t trailer[FORMAT_TRAILER_SIZE];
	uint64_t file_size;
	if (source_tail(&reader->source, trailer, sizeof trailer, &file_size) == 0)
		return;
	size_t size = index_size(trailer);
	if (size == 0 || size > file_size)
		return;
	struct index index = {0};
	uint8_t *bytes = mem_alloc(size, 1);
	if (source_tail(&reader->source, bytes, size, &file_size) == size &&
	    u32_at(bytes) == FORMAT_MAGIC_INDEX &&
	    index_decode(&index, bytes + FORMAT_SKIPPABLE_HEAD, size - FORMAT_SKIPPABLE_HEAD) == 0) {
		places_take_index(&reader->places, &index);
		reader->has_end = index.has_end;
		reader->end = index.end;
		index.end = (struct run_end){0};
	}
	index_fini(&index);
	free(bytes);
}

/* 1: read; 0: not all of it is in the file; -errno. */
static int header_read(struct reader *reader, struct why *why)
{
	static const uint8_t magic[4] = {FORMAT_MAGIC_HEADER & 0xff, FORMAT_MAGIC_HEADER >> 8 & 0xff,
					 FORMAT_MAGIC_HEADER >> 16 & 0xff, FORMAT_MAGIC_HEADER >> 24};
	int enough = source_need(&reader->source, FORMAT_SKIPPABLE_HEAD + FORMAT_MARK_SIZE);
	size_t len;
	const uint8_t *bytes = source_bytes(&reader->source, &len);
	if (enough < 0)
		return why_set(why, enough, "%s", strerror(-enough));
	if (len == 0)
		return why_set(why, -ENODATA, "the file is empty");
	size_t mark_len = len > FORMAT_SKIPPABLE_HEAD ? len - FORMAT_SKIPPABLE_HEAD : 0;
	if (memcmp(bytes, magic, len < 4 ? len : 4) != 0 ||
	    memcmp(bytes + FORMAT_SKIPPABLE_HEAD, FORMAT_HEADER_MARK, mark_len < 8 ? mark_len : 8) != 0)
		return why_set(why, -EBADMSG, "not a recording of buildtop");
	if (enough == 0)
		return 0;
	uint32_t size = u32_at(bytes + 4);
	if (size > LIMIT_HEADER_BYTES)
		return why_set(why, -EBADMSG, "the header of the recording is damaged: its size is %u bytes",
			       size);
	enough = source_need(&reader->source, FORMAT_SKIPPABLE_HEAD + (size_t)size);
	if (enough <= 0)
		return enough;
	bytes = source_bytes(&reader->source, &len);
	int status = header_decode(&reader->header, bytes + FORMAT_SKIPPABLE_HEAD, size, why);
	if (status < 0)
		return status;
	source_consume(&reader->source, FORMAT_SKIPPABLE_HEAD + (size_t)size);
	reader->decoder = decoder_new(&reader->header);
	return 1;
}

/* With its source open, or not, as status says. */
static int reader_begin(struct reader **reader_out, struct reader *reader, int status, struct why *why)
{
	reader->unknown = run_new();
	reader->knows_expected = true;
	damage_init(&reader->damage);
	if (status == 0) {
		reader->unpacker = ZSTD_createDCtx();
		if (!reader->unpacker || ZSTD_isError(ZSTD_DCtx_setParameter(
						 reader->unpacker, ZSTD_d_windowLogMax, LIMIT_WINDOW_LOG)))
			status = why_set(why, -ENOMEM, "no memory for zstd");
		else
			status = header_read(reader, why);
	}
	if (status < 0) {
		reader_close(reader);
		return status;
	}
	if (status > 0)
		index_load(reader);
	*reader_out = reader;
	return 0;
}

int reader_open(struct reader **reader_out, const char *path, struct why *why)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);
	struct why reason = {""};
	int status = source_open(&reader->source, path, why);
	bool opened = status == 0;
	status = reader_begin(reader_out, reader, status, &reason);
	return status < 0 && opened ? why_set(why, status, "%s: %.400s", path, reason.text) : status;
}

int reader_open_again(struct reader **reader_out, const struct reader *of, struct why *why)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);
	int status = source_open_again(&reader->source, &of->source);
	if (status < 0)
		why_set(why, status, "cannot go back in the recording: %s", strerror(-status));
	return reader_begin(reader_out, reader, status, why);
}

void reader_close(struct reader *reader)
{
	if (!reader)
		return;
	source_close(&reader->source);
	decoder_free(reader->decoder);
	header_fini(&reader->header);
	run_free(reader->unknown);
	ZSTD_freeDCtx(reader->unpacker);
	buf_fini(&reader->frame.plain);
	places_fini(&reader->places);
	damage_fini(&reader->damage);
	run_end_fini(&reader->end);
	free(reader);
}

const struct run *reader_run(const struct reader *reader)
{
	return reader->decoder ? reader->header.run : reader->unknown;
}

const struct run_end *reader_end(const struct reader *reader)
{
	return reader->has_end ? &reader->end : NULL;
}

/* Frames */

/* Nothing more comes of the frame at hand. What is left of it in the window is searched for the next. */
static void frame_fail(struct reader *reader, const char *what)
{
	struct frame *frame = &reader->frame;
	damage_note(&reader->damage, frame->number, frame->offset, what);
	if (!frame->ended) {
		source_consume(&reader->source, 1);
		reader->searching = true;
	}
	frame->active = false;
}

static void frame_leave(struct reader *reader)
{
	struct frame *frame = &reader->frame;
	if (frame->plain_at < frame->plain.len)
		damage_note(&reader->damage, frame->number, frame->offset, "it ends within a record");
	damage_pass(&reader->damage, frame->offset);
	frame->active = false;
}

/* Unpacks len more bytes of the frame. 0, or -EBADMSG. */
static int frame_unpack(struct reader *reader, const uint8_t *bytes, size_t len)
{
	struct frame *frame = &reader->frame;
	ZSTD_inBuffer in = {bytes, len, 0};
	bool full;
	do {
		size_t room = ZSTD_DStreamOutSize();
		ZSTD_outBuffer out = {buf_reserve(&frame->plain, room), room, 0};
		size_t left = ZSTD_decompressStream(reader->unpacker, &out, &in);
		frame->plain.len += out.pos;
		frame->size += out.pos;
		if (ZSTD_isError(left) || frame->size > LIMIT_FRAME_BYTES)
			return -EBADMSG;
		full = out.pos == out.size;
		if (left == 0) {
			frame->ended = true;
			break;
		}
	} while (in.pos < in.size || full);
	frame->fed += in.pos;
	if (frame->ended)
		source_consume(&reader->source, frame->fed);
	return 0;
}

static void frame_start(struct reader *reader)
{
	struct frame *frame = &reader->frame;
	uint64_t offset = source_offset(&reader->source);
	frame->number = places_reach(&reader->places, offset, reader->knows_expected, reader->expected);
	frame->offset = offset;
	frame->active = true;
	frame->ended = false;
	frame->fed = frame->size = frame->plain_at = 0;
	frame->searched = 1;
	buf_clear(&frame->plain);
	ZSTD_DCtx_reset(reader->unpacker, ZSTD_reset_session_only);
	decoder_begin_frame(reader->decoder);
}

/* A zstd frame begins here. Unpacks it when all of it is there. 1, or -errno when the file cannot be read. */
static int frame_take(struct reader *reader)
{
	struct walk walk = {0};
	const uint8_t *bytes;
	size_t len;
	long size;
	frame_start(reader);
	for (;;) {
		bytes = source_bytes(&reader->source, &len);
		size = walk_on(&walk, bytes, len);
		/* Of a pipe what there is is taken at once: the rest may be a minute away. */
		if (size != 0 || !reader->source.seekable)
			break;
		long more = source_more(&reader->source);
		if (more < 0)
			return (int)more;
		if (more == 0)
			break;
	}
	if (size < 0)
		frame_fail(reader, "its blocks make no sense");
	else if (size > 0 && (frame_unpack(reader, bytes, (size_t)size) < 0 || !reader->frame.ended))
		frame_fail(reader, "its checksum is wrong, or it cannot be unpacked");
	return 1;
}

/* More of a frame that was not complete when it began. 1: something happened; 0: nothing more now; -errno. */
static int frame_more(struct reader *reader)
{
	struct frame *frame = &reader->frame;
	size_t len;
	const uint8_t *bytes = source_bytes(&reader->source, &len);
	if (len <= frame->fed) {
		int more = source_need(&reader->source, frame->fed + 1);
		if (more < 0)
			return more;
		bytes = source_bytes(&reader->source, &len);
		if (more == 0) { /* does another frame begin in what should be the rest of this one? */
			size_t found = walk_search(bytes, len, frame->searched);
			if (found == len) {
				frame->searched = len > WALK_KNOWN ? len - WALK_KNOWN + 1 : 1;
				return 0;
			}
			frame_fail(reader, "it breaks off");
			return 1;
		}
	}
	if (len > LIMIT_FRAME_BYTES)
		frame_fail(reader, "it is too large");
	else if (frame_unpack(reader, bytes + frame->fed, len - frame->fed) < 0)
		frame_fail(reader, "it cannot be unpacked");
	return 1;
}

/* A skippable frame: the index, or something that a later version knows. 1, 0: not all there; -errno. */
static int skippable_take(struct reader *reader, uint32_t magic, uint32_t size)
{
	uint64_t offset = source_offset(&reader->source);
	if (magic == FORMAT_MAGIC_HEADER) {
		damage_say(&reader->damage, offset, "another recording begins; it is not read");
		reader->over = true;
		return 0;
	}
	int enough = size > LIMIT_INDEX_BYTES
			     ? 0
			     : source_need(&reader->source, FORMAT_SKIPPABLE_HEAD + (size_t)size);
	size_t len;
	const uint8_t *bytes = source_bytes(&reader->source, &len);
	if (enough < 0)
		return enough;
	if (enough == 0 && walk_search(bytes, len, 1) == len && size <= LIMIT_INDEX_BYTES)
		return 0;
	struct index index = {0};
	bool sound = enough > 0 && (magic != FORMAT_MAGIC_INDEX ||
				    index_decode(&index, bytes + FORMAT_SKIPPABLE_HEAD, size) == 0);
	index_fini(&index);
	if (sound) {
		reader->index_passed |= magic == FORMAT_MAGIC_INDEX;
		source_consume(&reader->source, FORMAT_SKIPPABLE_HEAD + (size_t)size);
		return 1;
	}
	damage_say(&reader->damage, offset,
		   magic == FORMAT_MAGIC_INDEX ? "the index is damaged" : "not a frame of a recording");
	source_consume(&reader->source, 1);
	reader->searching = true;
	return 1;
}

/* Goes into the next frame, whatever it is. 1: went on; 0: nothing more now; -errno. */
static int frame_next(struct reader *reader)
{
	if (reader->searching) {
		int found = source_search(&reader->source);
		if (found <= 0)
			return found;
		reader->searching = false;
	}
	int enough = source_need(&reader->source, FORMAT_SKIPPABLE_HEAD);
	if (enough <= 0)
		return enough;
	size_t len;
	const uint8_t *bytes = source_bytes(&reader->source, &len);
	uint32_t magic = u32_at(bytes);
	if (magic == FORMAT_MAGIC_ZSTD)
		return frame_take(reader);
	if ((magic & ~0xfu) == FORMAT_MAGIC_SKIPPABLE)
		return skippable_take(reader, magic, u32_at(bytes + 4));
	frame_start(reader);
	frame_fail(reader, "no frame begins here");
	return 1;
}

/* Records */

static int sample_deliver(struct reader *reader, const struct sample *decoded, struct sample *sample)
{
	if (reader->knows_expected && decoded->number < reader->expected)
		return -EBADMSG;
	sample_copy(sample, decoded);
	if (reader->knows_expected && decoded->number > reader->expected) {
		uint64_t missed = sample->missed + (decoded->number - reader->expected);
		sample->missed = missed > UINT32_MAX ? UINT32_MAX : (uint32_t)missed;
		sample->flags |= SAMPLE_LOST;
	}
	reader->expected = decoded->number + 1;
	reader->knows_expected = true;
	return 1;
}

/* 1: a sample; 0: some other record; -EBADMSG. */
static int record_take(struct reader *reader, const struct record *record, struct sample *sample)
{
	const struct sample *decoded;
	struct scan scan = scan_of(record->payload, record->len);
	switch (record->type) {
	case RECORD_SAMPLE:
		if (decoder_sample(reader->decoder, record->payload, record->len, &decoded) < 0)
			return -EBADMSG;
		return sample_deliver(reader, decoded, sample);
	case RECORD_GAP: {
		uint64_t why = get_varint(&scan), samples = get_varint(&scan);
		damage_gap(&reader->damage, reader->frame.offset, why, scan.bad ? 0 : samples);
		return scan.bad ? -EBADMSG : 0;
	}
	case RECORD_END:
		if (end_decode(&reader->end, record->payload, record->len) < 0)
			return -EBADMSG;
		reader->has_end = reader->end_passed = true;
		return 0;
	default:
		return 0; /* of a later version */
	}
}

/* 1: a sample; 0: the frame has no complete record more as yet. Damage ends the frame. */
static int records_take(struct reader *reader, struct sample *sample)
{
	struct frame *frame = &reader->frame;
	for (;;) {
		struct record record;
		long size = record_get(&record, frame->plain.data + frame->plain_at,
				       frame->plain.len - frame->plain_at);
		if (size == 0)
			return 0;
		int got = size < 0 ? -EBADMSG : record_take(reader, &record, sample);
		if (got < 0) {
			frame_fail(reader, "a record in it is damaged");
			return 0;
		}
		frame->plain_at += (size_t)size;
		if (got > 0)
			return 1;
	}
}

static int reader_step(struct reader *reader, struct sample *sample)
{
	sample_reset(sample);
	if (!reader->decoder) {
		struct why why;
		int read = header_read(reader, &why);
		if (read <= 0)
			return read;
	}
	while (!reader->over) {
		struct frame *frame = &reader->frame;
		if (!frame->active) {
			int went = frame_next(reader);
			if (went <= 0)
				return went;
			continue;
		}
		if (frame->plain_at < frame->plain.len && records_take(reader, sample) > 0)
			return 1;
		if (!frame->active)
			continue;
		if (frame->ended) {
			frame_leave(reader);
			continue;
		}
		/* What was read of an open frame need not be kept: the next record stands behind it. */
		buf_drop_front(&frame->plain, frame->plain_at);
		frame->plain_at = 0;
		int more = frame_more(reader);
		if (more <= 0)
			return more;
	}
	return 0;
}

int reader_next(struct reader *reader, struct sample *sample)
{
	int got = reader_step(reader, sample);
	reader->at_end = got == 0;
	return got;
}

size_t reader_frame(const struct reader *reader)
{
	const struct frame *frame = &reader->frame;
	if (frame->active && (!frame->ended || frame->plain_at < frame->plain.len))
		return frame->number;
	uint64_t next = source_offset(&reader->source);
	return places_number(&reader->places, next);
}

int reader_seek(struct reader *reader, size_t frame)
{
	if (!reader->source.seekable)
		return -ESPIPE;
	if (!reader->decoder)
		return -ERANGE;
	if (frame >= reader->places.count) {
		uint64_t here = source_offset(&reader->source);
		int found = places_walk(&reader->places, &reader->source, frame);
		if (found < 0) { /* as if we had not gone */
			source_goto(&reader->source, here);
			return found;
		}
	}
	const struct place *known = &reader->places.list[frame];
	return reader_goto(reader,
			   &(struct reader_place){known->offset, known->expected, known->knows_expected});
}

void reader_place(const struct reader *reader, struct reader_place *place)
{
	size_t frame = reader_frame(reader);
	*place = (struct reader_place){source_offset(&reader->source), reader->expected,
				       reader->knows_expected};
	if (frame < reader->places.count) {
		const struct place *known = &reader->places.list[frame];
		*place = (struct reader_place){known->offset, known->expected, known->knows_expected};
	}
}

int reader_goto(struct reader *reader, const struct reader_place *place)
{
	if (!reader->source.seekable)
		return -ESPIPE;
	if (!reader->decoder)
		return -ERANGE;
	source_goto(&reader->source, place->offset);
	reader->frame.active = false;
	reader->searching = reader->over = false;
	reader->knows_expected = place->knows_expected;
	reader->expected = place->expected;
	return 0;
}

const char *reader_damage(const struct reader *reader)
{
	struct damage_state state = {
		.header_missing = !reader->decoder,
		.end_missing = !reader->end_passed && !reader->index_passed,
		.index_missing = !reader->index_passed,
		.read_to = source_end(&reader->source),
		.at_end = reader->at_end,
	};
	return damage_sentence(&reader->damage, &state);
}
