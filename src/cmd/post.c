/* SPDX-License-Identifier: MIT
 *
 * buildtop post: sends the summary of recordings to a results server, or sends it again; the id in it lets
 * the server tell a repetition.
 */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <string.h>

#include "account.h"
#include "command.h"
#include "post/post.h"
#include "say.h"

#define POST_REJECTED 4 /* the server does not want the document, now or later */

enum post_option { POST_URL = 256, POST_FORMAT, POST_TOKEN_FILE, POST_CACERT, POST_INSECURE, POST_LATER };

static const struct option post_options[] = {
	{"post", required_argument, NULL, POST_URL},
	{"post-format", required_argument, NULL, POST_FORMAT},
	{"post-token-file", required_argument, NULL, POST_TOKEN_FILE},
	{"post-cacert", required_argument, NULL, POST_CACERT},
	{"post-insecure", no_argument, NULL, POST_INSECURE},
	{"pending", no_argument, NULL, POST_LATER},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* Status of one recording. */
static int post_one(const char *name, const struct post_target *target)
{
	struct account account;
	struct summary summary;
	struct why why;
	if (account_open(&account, name, &why) < 0) {
		say_line(why.text);
		return COMMAND_FAILED;
	}
	int error = account_summary(&account, &summary, &why);
	if (error < 0) {
		say_line(why.text);
		account_close(&account);
		return COMMAND_FAILED;
	}
	error = post_send(target, &summary, &why);
	if (error < 0)
		say_line(why.text);
	summary_fini(&summary);
	account_close(&account);
	if (error == 0)
		return COMMAND_FINE;
	return error == -EBADMSG ? POST_REJECTED : COMMAND_FOUND;
}

static int post_main(int argc, char **argv)
{
	struct post_target target = {0};
	struct why why;
	int code;
	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, ":h", post_options, NULL)) != -1) {
		switch (code) {
		case 'h':
			return command_print_help(&command_post);
		case POST_URL:
			target.url = optarg;
			break;
		case POST_FORMAT:
			if (strcmp(optarg, "json") != 0)
				return say_usage(&command_post, "--post-format %s is not there yet; json is",
						 optarg);
			break;
		case POST_TOKEN_FILE:
			target.token_file = optarg;
			break;
		case POST_CACERT:
			target.cacert = optarg;
			break;
		case POST_INSECURE:
			target.insecure = true;
			break;
		case POST_LATER:
			return say_usage(&command_post, "--pending is not there yet; name the recording");
		default:
			return say_usage(&command_post, "post: %s is no option, or its value is missing",
					 argv[optind - 1]);
		}
	}
	if (argv[optind] == NULL || target.url == NULL)
		return say_usage(&command_post, "post needs a recording (a file, or @1) and --post URL");
	if (post_check(&target, &why) < 0)
		return say_usage(&command_post, "%s", why.text);
	int worst = COMMAND_FINE;
	for (char **name = argv + optind; *name != NULL; name++) {
		int status = post_one(*name, &target);
		worst = status > worst ? status : worst;
	}
	return worst;
}

const struct command command_post = {
	.name = "post",
	.synopsis = "FILE|@N... --post URL",
	.help = "Send the summary of recordings to a results server",
	.options = "      --post URL              where to: http:// or https://\n"
		   "      --post-format json      the summary document (the default)\n"
		   "      --post-token-file FILE  a bearer token, in a file that only you can read\n"
		   "      --post-cacert FILE      certificates to trust\n"
		   "      --post-insecure         do not check the server's certificate\n"
		   "  -h, --help                  this help\n",
	.main = post_main,
};
