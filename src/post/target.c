/* SPDX-License-Identifier: MIT
 *
 * Checks a target before a build is started, so that a typing error shows at once and not hours later.
 * Secrets come from a file that is private: never from the command line, which everybody can read in /proc. A
 * token is never sent in the clear, but to this very machine.
 */
#include "target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fcntl.h>

#include "base/fd.h"
#include "base/mem.h"
#include "libcurl.h"

#define TOKEN_BYTES_MAX 4096

static char *url_part(CURLU *url, CURLUPart part)
{
	char *text = NULL;
	return libcurl.url_get(url, part, &text, 0) == CURLUE_OK ? text : NULL;
}

char *target_host(const char *url_text)
{
	CURLU *url = libcurl_load(NULL) == 0 ? libcurl.url() : NULL;
	char *name = NULL;
	if (url != NULL && libcurl.url_set(url, CURLUPART_URL, url_text, 0) == CURLUE_OK) {
		char *host = url_part(url, CURLUPART_HOST);
		char *port = url_part(url, CURLUPART_PORT);
		struct buf both = {0};
		if (host != NULL)
			buf_add_format(&both, "%s%s%s", host, port != NULL ? ":" : "",
				       port != NULL ? port : "");
		name = both.data;
		libcurl.free(host);
		libcurl.free(port);
	}
	if (url != NULL)
		libcurl.url_cleanup(url);
	return name != NULL ? name : mem_dup("the server");
}

static bool is_loopback(const char *host)
{
	return strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0 || strcmp(host, "::1") == 0 ||
	       (strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == strlen(host));
}

static bool has_secret(const struct post_target *target, bool has_user)
{
	return target->token_file != NULL || target->token != NULL || target->netrc != NULL || has_user;
}

static int check_parts(const struct post_target *target, const char *scheme, const char *host, bool has_user,
		       struct why *why)
{
	if (scheme == NULL || host == NULL || (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0))
		return why_set(why, -EINVAL, "--post takes an address that starts with http:// or https://");
	if (has_user && !target->trusted)
		return why_set(why, -EINVAL,
			       "--post: leave user and password out of the address, other users can read "
			       "them there; "
			       "put a token into a file and name it with --post-token-file");
	if (has_secret(target, has_user) && target->allow_http_auth == NULL && strcmp(scheme, "http") == 0 &&
	    !is_loopback(host))
		return why_set(
			why, -EINVAL,
			"--post: a token would go over the network in the clear; use https:// for %s, or "
			"--post-allow-http-auth",
			host);
	return 0;
}

static int check_url(const struct post_target *target, struct why *why)
{
	CURLU *url;
	int error = libcurl_load(why);
	if (error < 0)
		return error;
	url = libcurl.url();
	if (url == NULL)
		return why_set(why, -ENOMEM, "libcurl has no memory");
	if (libcurl.url_set(url, CURLUPART_URL, target->url, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK) {
		libcurl.url_cleanup(url);
		return why_set(why, -EINVAL, "--post: '%.200s' is not the address of a server", target->name);
	}
	char *scheme = url_part(url, CURLUPART_SCHEME);
	char *host = url_part(url, CURLUPART_HOST);
	char *user = url_part(url, CURLUPART_USER);
	char *password = url_part(url, CURLUPART_PASSWORD);
	error = check_parts(target, scheme, host, user != NULL || password != NULL, why);
	libcurl.free(scheme);
	libcurl.free(host);
	libcurl.free(user);
	libcurl.free(password);
	libcurl.url_cleanup(url);
	return error;
}

void target_wipe_token(struct buf *token)
{
	if (token->data != NULL)
		explicit_bzero(token->data, token->cap);
	buf_fini(token);
}

static bool is_word(const struct buf *token)
{
	for (size_t i = 0; i < token->len; i++) {
		if ((unsigned char)token->data[i] <= ' ' || token->data[i] == 0x7f)
			return false;
	}
	return true;
}

static int check_token(const char *source, struct buf *token, struct why *why)
{
	if (token->len > 0 && token->data[token->len - 1] == '\n')
		token->data[--token->len] = '\0';
	if (token->len == 0)
		return why_set(why, -EINVAL, "%s is empty", source);
	/* libcurl sends what it is given: a line break would begin a header of the file's own */
	if (!is_word(token))
		return why_set(why, -EINVAL, "%s holds more than one word", source);
	return 0;
}

static int check_file(int fd, const struct post_target *target, struct why *why)
{
	const char *path = target->token_file;
	struct stat status;
	if (fstat(fd, &status) < 0)
		return why_set(why, -errno, "the token file %s: %s", path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return why_set(why, -EINVAL, "the token file %s is not a regular file", path);
	if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0 && target->insecure_permissions == NULL)
		return why_set(why, -EPERM,
			       "the token file %s is open to others; make it private: chmod 600 %s", path,
			       path);
	if (status.st_size > TOKEN_BYTES_MAX)
		return why_set(why, -EFBIG, "the token file %s is too long for a token", path);
	return 0;
}

static int read_file(const struct post_target *target, struct buf *token, struct why *why)
{
	const char *path = target->token_file;
	char source[200];
	snprintf(source, sizeof source, "the token file %s", path);
	int fd = fd_open(path, O_RDONLY | O_NONBLOCK, 0);
	if (fd < 0)
		return why_set(why, fd, "%s cannot be read: %s", source, strerror(-fd));
	int error = check_file(fd, target, why);
	if (error == 0) {
		ssize_t got = read(fd, buf_reserve(token, TOKEN_BYTES_MAX + 1), TOKEN_BYTES_MAX);
		if (got < 0)
			error = why_set(why, -errno, "%s cannot be read: %s", source, strerror(errno));
		token->len = got > 0 ? (size_t)got : 0;
	}
	close(fd);
	return error == 0 ? check_token(source, token, why) : error;
}

int target_read_token(const struct post_target *target, struct buf *token, struct why *why)
{
	int error = 0;
	if (target->token_file != NULL) {
		error = read_file(target, token, why);
	} else if (target->token != NULL) {
		buf_add_string(token, target->token);
		error = check_token("BUILDTOP_POST_TOKEN", token, why);
	}
	if (error < 0)
		target_wipe_token(token);
	return error;
}

static int check_readable(const char *option, const char *path, struct why *why)
{
	if (path == NULL || path[0] == '\0' || access(path, R_OK) == 0)
		return 0;
	return why_set(why, -errno, "--post-%s: %s cannot be read: %s", option, path, strerror(errno));
}

int post_check(const struct post_target *target, struct why *why)
{
	int error = check_url(target, why);
	if (error == 0)
		error = check_readable("cacert", target->cacert, why);
	if (error == 0)
		error = check_readable("cert", target->cert, why);
	if (error == 0)
		error = check_readable("key", target->key, why);
	if (error == 0)
		error = check_readable("netrc", target->netrc, why);
	if (error == 0) {
		struct buf token = {0};
		error = target_read_token(target, &token, why);
		target_wipe_token(&token);
	}
	return error;
}
