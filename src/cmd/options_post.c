/* SPDX-License-Identifier: MIT
 *
 * Where to post, gathered from three places: the configuration, BUILDTOP_POST, the command line; the later
 * one wins where two name the same server. An option about posting belongs to the server named before it. The
 * token of the environment is taken out of it at once, also out of what /proc shows of it, so that the build
 * never has it.
 */
#include "options_post.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "config.h"

#define TOKEN_VARIABLE	 "BUILDTOP_POST_TOKEN"
#define TARGETS_VARIABLE "BUILDTOP_POST"
#define LIVE_MIN_S	 10

/* Also out of /proc/self/environ, which shows the bytes that were there at the start. */
static void forget(const char *variable)
{
	char *value = getenv(variable);
	explicit_bzero(value, strlen(value));
	unsetenv(variable);
}

static void take_token(struct options_post *post)
{
	const char *value = getenv(TOKEN_VARIABLE);
	if (value == NULL)
		return;
	if (value[0] != '\0')
		post->token = mem_dup(value);
	forget(TOKEN_VARIABLE);
}

static struct post_target *last_target(struct options_post *post)
{
	return post->n > 0 ? &post->targets[post->n - 1] : NULL;
}

static void remove_target(struct options_post *post, size_t index)
{
	post_target_fini(&post->targets[index]);
	memmove(&post->targets[index], &post->targets[index + 1],
		(post->n - index - 1) * sizeof *post->targets);
	post->n--;
}

static int add_target(struct options_post *post, const char *url, bool trusted)
{
	struct post_target target;
	post_target_init(&target, url);
	target.trusted = trusted;
	for (size_t i = post->n; i-- > 0;) {
		if (strcmp(post->targets[i].name, target.name) == 0)
			remove_target(post, i);
	}
	post->targets = mem_resize(post->targets, post->n + 1, sizeof *post->targets);
	post->targets[post->n++] = target;
	return 0;
}

/* URLs with blanks between. */
static int take_environment(struct options_post *post)
{
	const char *value = getenv(TARGETS_VARIABLE);
	char *list = value != NULL ? mem_dup(value) : NULL, *rest = list, *url;
	while (rest != NULL && (url = strsep(&rest, " \t\n")) != NULL) {
		if (url[0] != '\0')
			add_target(post, url, true);
	}
	free(list);
	if (value != NULL && strchr(value, '@') != NULL)
		forget(TARGETS_VARIABLE);
	return 0;
}

int options_post_begin(struct options_post *post,
		       int (*take)(void *self, const char *key, const char *value, struct why *why),
		       void *self, struct why *why)
{
	*post = (struct options_post){0};
	take_token(post);
	int error = config_read(take, self, &post->is_public, why);
	if (error == 0)
		error = take_environment(post);
	post->began = true;
	return error;
}

static int set_live(struct options_post *post, const char *value, struct why *why)
{
	if (value == NULL || !units_parse_number(value, &post->live_s) || post->live_s < LIVE_MIN_S)
		return why_set(why, -EINVAL, "--post-live takes %d seconds or more, not '%s'", LIVE_MIN_S,
			       value != NULL ? value : "");
	return 0;
}

static bool take_flag(struct options_post *post, const char *name)
{
	const struct {
		const char *name;
		bool *flag;
	} flags[] = {
		{"post-alerts", &post->alerts}, {"post-required", &post->required}, {"no-post", &post->off}};
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		if (strcmp(flags[i].name, name) == 0) {
			*flags[i].flag = true;
			return true;
		}
	}
	return false;
}

int options_post_take(struct options_post *post, const char *name, const char *value, struct why *why)
{
	if (take_flag(post, name))
		return 0;
	if (strcmp(name, "post-live") == 0)
		return set_live(post, value, why);
	if (strcmp(name, "prom-textfile") == 0 && value != NULL) {
		free(post->textfile);
		post->textfile = mem_dup(value);
		return 0;
	}
	if (strcmp(name, "post") == 0 && value != NULL) {
		post->given |= post->began;
		return add_target(post, value, !post->began && !post->is_public);
	}
	if (strncmp(name, "post-", 5) != 0)
		return why_set(why, -EINVAL, "'%.60s' is no option for the configuration, or has no value",
			       name);
	struct post_target *target = post->began && !post->given ? NULL : last_target(post);
	if (target == NULL)
		return why_set(why, -EINVAL, "--%s belongs behind a --post URL", name);
	return post_target_set(target, name + strlen("post-"), value, why);
}

static int check_target(struct options_post *post, struct post_target *target, const struct run_label *labels,
			size_t n_labels, struct why *why)
{
	if (post->token != NULL && target->token_file == NULL && target->token == NULL)
		target->token = mem_dup(post->token);
	int error = post_check(target, why);
	for (size_t i = 0; error == 0 && i < n_labels; i++)
		error = post_check_label(target, labels[i].key, labels[i].value, why);
	return error;
}

int options_post_check(struct options_post *post, const struct run_label *labels, size_t n_labels,
		       struct why *why)
{
	int error = 0;
	while (post->off && post->n > 0)
		remove_target(post, post->n - 1);
	if (!post->off && post->n == 0 && (post->live_s > 0 || post->alerts || post->required))
		return why_set(why, -EINVAL, "options about posting are given, but no --post URL");
	for (size_t i = 0; error == 0 && i < post->n; i++)
		error = check_target(post, &post->targets[i], labels, n_labels, why);
	return error;
}

void options_post_fini(struct options_post *post)
{
	while (post->n > 0)
		remove_target(post, post->n - 1);
	free(post->targets);
	free(post->textfile);
	if (post->token != NULL)
		explicit_bzero(post->token, strlen(post->token));
	free(post->token);
	*post = (struct options_post){0};
}
