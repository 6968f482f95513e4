/* SPDX-License-Identifier: MIT
 *
 * CRC-32 (the one of zip and PNG), eight bytes at a time. Its tables are made before main; the unit test
 * checks them against the known check value.
 */
#include "crc.h"

#define POLYNOMIAL 0xedb88320u

/* slices[k][i]: what byte i does to the sum from k bytes further back. */
static uint32_t slices[8][256];

/* Before main: the recorder and the reader may start on different threads. */
__attribute__((constructor)) static void slices_make(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t sum = i;
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? POLYNOMIAL : 0);
		slices[0][i] = sum;
	}
	for (size_t k = 1; k < 8; k++) {
		for (size_t i = 0; i < 256; i++)
			slices[k][i] = slices[0][slices[k - 1][i] & 0xff] ^ (slices[k - 1][i] >> 8);
	}
}

uint32_t crc32_of(const void *bytes, size_t len)
{
	const uint8_t *at = bytes, *end = at + len;
	uint32_t crc = UINT32_MAX;
	for (; end - at >= 8; at += 8) {
		uint32_t first = crc ^ ((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
					(uint32_t)at[3] << 24);
		crc = slices[7][first & 0xff] ^ slices[6][first >> 8 & 0xff] ^ slices[5][first >> 16 & 0xff] ^
		      slices[4][first >> 24] ^ slices[3][at[4]] ^ slices[2][at[5]] ^ slices[1][at[6]] ^
		      slices[0][at[7]];
	}
	for (; at < end; at++)
		crc = slices[0][(crc ^ *at) & 0xff] ^ (crc >> 8);
	return ~crc;
}
