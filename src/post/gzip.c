/* SPDX-License-Identifier: MIT
 *
 * The one user of zlib. The whole of it at once: bodies are bounded.
 */
#include "gzip.h"

#include <zlib.h>

#define WINDOW_GZIP (15 + 16) /* the largest window, with gzip's frame around */
#define MEMORY	    8

bool gzip(struct buf *out, const struct buf *in)
{
	z_stream stream = {0};
	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_GZIP, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	uLong bound = deflateBound(&stream, (uLong)in->len);
	stream.next_in = (Bytef *)in->data;
	stream.avail_in = (uInt)in->len;
	stream.next_out = (Bytef *)buf_reserve(out, bound);
	stream.avail_out = (uInt)bound;
	bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
	out->len = done ? stream.total_out : 0;
	deflateEnd(&stream);
	return done;
}
