/* SPDX-License-Identifier: MIT
 *
 * Tells lines by the words compilers and build tools put into them. A table, and no more: a line too many is
 * stepped over with one key. Words alone ("error" in a file name) do not count, the punctuation around them
 * does.
 */
#include "errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *text;
	bool at_start; /* of the line */
	enum errors_kind kind;
} signs[] = {
	{": error: ", false, ERRORS_ERROR}, /* gcc, clang */
	{": fatal error: ", false, ERRORS_ERROR},
	{": error C", false, ERRORS_ERROR},		 /* cl */
	{"undefined reference to", false, ERRORS_ERROR}, /* ld */
	{": *** ", false, ERRORS_ERROR},		 /* make */
	{"FAILED: ", true, ERRORS_ERROR},		 /* ninja */
	{"ninja: error: ", true, ERRORS_ERROR},
	{"ninja: build stopped", true, ERRORS_ERROR},
	{"error: ", true, ERRORS_ERROR}, /* cargo */
	{"error[E", true, ERRORS_ERROR},
	{"ERROR: ", true, ERRORS_ERROR}, /* bitbake, bazel */
	{"CMake Error", true, ERRORS_ERROR},
	{"dpkg-buildpackage: error", true, ERRORS_ERROR},
	{"Traceback (most recent call last)", true, ERRORS_ERROR},
	{": warning: ", false, ERRORS_WARNING},
	{"warning: ", true, ERRORS_WARNING},
	{"WARNING: ", true, ERRORS_WARNING},
	{"CMake Warning", true, ERRORS_WARNING},
};

enum errors_kind errors_kind(const char *line)
{
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (signs[i].at_start ? strncmp(line, signs[i].text, strlen(signs[i].text)) == 0
				      : strstr(line, signs[i].text) != NULL)
			return signs[i].kind;
	return ERRORS_NONE;
}
