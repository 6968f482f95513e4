/* SPDX-License-Identifier: MIT
 *
 * One sentence for a person about what went wrong, written once, where the fact is known: what, where, what to
 * do. Functions that return -errno and take a `struct why *` set it on error; NULL is allowed. No full stop,
 * no program name: the one who prints adds them. Foreign text in it is cleaned when it is printed.
 */
#ifndef BASE_WHY_H
#define BASE_WHY_H

struct why {
	char text[512];
};

/* Writes the sentence and returns `error` (a negative errno), so that `return why_set(why, -ENOENT, …)` reads well. */
int why_set(struct why *why, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
