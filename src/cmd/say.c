/* SPDX-License-Identifier: MIT
 *
 * Lines on standard error. Each is written by one write(2), so that it does not mix with what the build
 * prints there, and is cleaned, since file names and server answers are in it.
 */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/text.h"

void say_line(const char *line)
{
	struct buf out = {0};
	buf_add_string(&out, "buildtop: ");
	text_clean_add(&out, line, strlen(line));
	buf_add_byte(&out, '\n');
	fd_write_all(STDERR_FILENO, out.data, out.len);
	buf_fini(&out);
}

static void __attribute__((format(printf, 1, 0))) say_list(const char *format, va_list list)
{
	char line[1024];
	vsnprintf(line, sizeof line, format, list);
	say_line(line);
}

void say(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	say_list(format, list);
	va_end(list);
}

int say_usage(const struct command *command, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	say_list(format, list);
	va_end(list);
	if (command != NULL)
		say("see 'buildtop %s --help'", command->name);
	else
		say("see 'buildtop --help'");
	return COMMAND_USAGE;
}
