/* SPDX-License-Identifier: MIT
 *
 * One zstd context for all frames: window 128 KiB (so packer and reader stay small), level 3, checksum on,
 * content size not told (it is not known when a frame begins).
 */
#include "packer.h"

#include <assert.h>
#include <stdlib.h>

#include <zstd.h>

#include "base/mem.h"
#include "format.h"

#define PACKER_LEVEL 3
#define PACKER_TABLE_LOG                                                                                     \
	14	       /* a frame is some 60 KiB before it is packed: larger tables only miss the cache */
#define PACKER_MATCH 4 /* file names and rows repeat in short pieces */

struct packer {
	ZSTD_CCtx *context;
	bool begun;
};

struct packer *packer_new(void)
{
	struct packer *packer = mem_alloc(1, sizeof *packer);
	packer->context = ZSTD_createCCtx();
	if (!packer->context ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_compressionLevel, PACKER_LEVEL)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_windowLog, FORMAT_WINDOW_LOG)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_hashLog, PACKER_TABLE_LOG)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_chainLog, PACKER_TABLE_LOG)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_minMatch, PACKER_MATCH)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_checksumFlag, 1))) {
		packer_free(packer);
		return NULL;
	}
	return packer;
}

void packer_free(struct packer *packer)
{
	if (!packer)
		return;
	ZSTD_freeCCtx(packer->context);
	free(packer);
}

static void packer_run(struct packer *packer, ZSTD_inBuffer *in, ZSTD_EndDirective directive, struct buf *out)
{
	size_t left;
	do {
		size_t room = ZSTD_compressBound(in->size - in->pos) + 64;
		ZSTD_outBuffer packed = {buf_reserve(out, room), room, 0};
		left = ZSTD_compressStream2(packer->context, &packed, in, directive);
		assert(!ZSTD_isError(left)); /* it has all memory since its first call, and room */
		if (ZSTD_isError(left))
			abort();
		out->len += packed.pos;
	} while (left != 0 || in->pos < in->size);
}

void packer_add(struct packer *packer, const void *bytes, size_t len, bool last, struct buf *out)
{
	ZSTD_inBuffer in = {bytes, len, 0};
	/* A frame that began and ended in one call would get another window: zstd would know its size. */
	if (!packer->begun || !last)
		packer_run(packer, &in, ZSTD_e_flush, out);
	if (last)
		packer_run(packer, &in, ZSTD_e_end, out);
	packer->begun = !last;
}
