/* SPDX-License-Identifier: MIT
 *
 * The sentence beside an errno. Too long a sentence is cut.
 */
#include "base/why.h"

#include <stdarg.h>
#include <stdio.h>

int why_set(struct why *why, int error, const char *format, ...)
{
	va_list arguments;

	if (!why)
		return error;
	va_start(arguments, format);
	vsnprintf(why->text, sizeof why->text, format, arguments);
	va_end(arguments);
	return error;
}
