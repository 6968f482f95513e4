/* SPDX-License-Identifier: MIT
 *
 * buildtop list: the tables of the program, tab-separated behind a line of headings that begins with '#'.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "model/cause.h"
#include "model/metric.h"
#include "report/report.h"
#include "say.h"
#include "tui/tui.h"

static void list_metrics(void)
{
	printf("# scope\tkey\tunit\tkind\thelp\n");
	for (enum metric_scope scope = 0; scope < METRIC_SCOPE_COUNT; scope++) {
		size_t count;
		const struct metric *metrics = metric_table(scope, &count);
		for (size_t i = 0; i < count; i++)
			printf("%s\t%s\t%s\t%s\t%s\n", metric_scope_name(scope), metrics[i].key,
			       metric_unit_name(metrics[i].unit), metric_kind_name(metrics[i].kind),
			       metrics[i].help);
	}
}

static void list_causes(void)
{
	static const char *const stalls[] = {
		[CAUSE_STALL_NONE] = "no", [CAUSE_STALL_FLUSH] = "flush", [CAUSE_STALL_BLOCK] = "block"};
	printf("# cause\tmark\tstall\tlabel\thelp\n");
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		printf("%s\t%c\t%s\t%s\t%s\n", cause_table[cause].key, cause_table[cause].letter,
		       stalls[cause_table[cause].stall], cause_table[cause].label, cause_table[cause].help);
}

static void list_formats(void)
{
	printf("# format\thelp\n");
	for (size_t i = 0; report_formats[i] != NULL; i++)
		printf("%s\t%s\n", report_formats[i]->name, report_formats[i]->help);
}

static void list_keys(void)
{
	printf("# key\thelp\n");
	for (const struct tui_key_info *key = tui_keys(); key->key != NULL; key++)
		printf("%s\t%s\n", key->key, key->help);
}

static const struct {
	const char *name;
	void (*list)(void);
} lists[] = {
	{"metrics", list_metrics}, {"causes", list_causes}, {"formats", list_formats}, {"keys", list_keys}};

static int list_main(int argc, char **argv)
{
	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return command_print_help(&command_list);
	for (size_t i = 0; argc == 2 && i < sizeof lists / sizeof *lists; i++) {
		if (strcmp(argv[1], lists[i].name) == 0) {
			lists[i].list();
			return COMMAND_FINE;
		}
	}
	return say_usage(&command_list, "list takes one of: metrics, causes, formats, keys");
}

const struct command command_list = {
	.name = "list",
	.synopsis = "metrics|causes|formats|keys",
	.help = "Print a table: tab-separated, the headings in a line that begins with #",
	.main = list_main,
};
