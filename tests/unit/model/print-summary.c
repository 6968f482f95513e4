/* SPDX-License-Identifier: MIT
 *
 * Prints the made-up summary of the given name, in the locale of the environment: for the schema's validator.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made-up.h"

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "");
	for (size_t i = 0; argc == 2 && i < sizeof made_up_table / sizeof *made_up_table; i++) {
		char *document;

		if (strcmp(made_up_table[i].name, argv[1]))
			continue;
		document = made_up_document(&made_up_table[i]);
		fputs(document, stdout);
		free(document);
		return 0;
	}
	return 2;
}
