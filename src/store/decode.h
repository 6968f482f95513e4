/* SPDX-License-Identifier: MIT
 *
 * Records to samples: the other side of encode.c. Input may be anything; what does not hold together is
 * -EBADMSG, and the rest of the frame is then lost, since every sample leans on the one before.
 */
#ifndef STORE_DECODE_H
#define STORE_DECODE_H

#include "format.h"
#include "header.h"
#include "model/sample.h"

struct decoder;

/* Borrows the header. */
struct decoder *decoder_new(const struct header *header);
void decoder_free(struct decoder *decoder);
void decoder_begin_frame(struct decoder *decoder);
/* Decodes the payload of a sample record. *sample is the decoder's, valid until the next call. */
int decoder_sample(struct decoder *decoder, const void *payload, size_t len, const struct sample **sample);

#endif
