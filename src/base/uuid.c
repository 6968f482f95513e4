/* SPDX-License-Identifier: MIT
 *
 * UUID version 7: 48 bits of milliseconds, 4 of version, 12 random, 2 of variant, 62 random.
 */
#include "base/uuid.h"

#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/map.h"

/* Should the kernel have no random bytes yet (early boot), the clocks and the process id tell two runs apart.
 */
static void uuid_random(unsigned char *out, size_t len)
{
	int64_t seed[3];

	if (getrandom(out, len, GRND_NONBLOCK) == (ssize_t)len)
		return;
	seed[0] = clock_boot_ns();
	seed[1] = clock_process_cpu_ns();
	seed[2] = getpid();
	for (size_t i = 0; i < len; i++) {
		seed[0] += (int64_t)i;
		out[i] = (unsigned char)(map_hash(seed, sizeof seed) >> 32);
	}
}

void uuid7(char out[UUID_SIZE], int64_t wall_ns)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t ms = wall_ns < 0 ? 0 : (uint64_t)(wall_ns / NS_PER_MS);
	unsigned char bytes[16];
	char *to = out;

	uuid_random(bytes, sizeof bytes);
	for (int i = 0; i < 6; i++)
		bytes[i] = (unsigned char)(ms >> (40 - 8 * i));
	bytes[6] = (bytes[6] & 0x0f) | 0x70;
	bytes[8] = (bytes[8] & 0x3f) | 0x80;
	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*to++ = '-';
		*to++ = digits[bytes[i] >> 4];
		*to++ = digits[bytes[i] & 15];
	}
	*to = '\0';
}
