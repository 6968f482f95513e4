/* SPDX-License-Identifier: MIT
 *
 * CRC-32 as Ethernet, gzip and PNG have it (polynomial 0xEDB88320, reflected).
 */
#ifndef STORE_CRC_H
#define STORE_CRC_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32_of(const void *bytes, size_t len);

#endif
