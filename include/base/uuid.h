/* SPDX-License-Identifier: MIT
 *
 * UUID version 7 (RFC 9562): 48 bits of Unix milliseconds, then random bits, so ids sort by time.
 */
#ifndef BASE_UUID_H
#define BASE_UUID_H

#include <stdint.h>

#define UUID_SIZE 37
void uuid7(char out[UUID_SIZE], int64_t wall_ns);

#endif
