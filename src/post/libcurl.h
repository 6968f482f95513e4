/* SPDX-License-Identifier: MIT
 *
 * libcurl, opened when something is to be posted: it and the forty libraries that it needs are a third of the
 * memory of a process that is linked with it, and most builds post nothing.
 */
#ifndef POST_LIBCURL_H
#define POST_LIBCURL_H

#include <curl/curl.h>

#include "base/why.h"

/* clang-format off */
#define LIBCURL_CALLS(CALL) \
	CALL(easy_cleanup) CALL(easy_getinfo) CALL(easy_init) CALL(easy_reset) CALL(easy_setopt) CALL(easy_strerror) \
	CALL(free) CALL(global_cleanup) CALL(global_init) \
	CALL(multi_add_handle) CALL(multi_cleanup) CALL(multi_info_read) CALL(multi_init) CALL(multi_perform) \
	CALL(multi_poll) CALL(multi_remove_handle) \
	CALL(slist_append) CALL(slist_free_all) \
	CALL(url) CALL(url_cleanup) CALL(url_get) CALL(url_set) CALL(version)
/* clang-format on */

/* libcurl.easy_init is curl_easy_init(3), and so on; NULL before libcurl_load() has returned 0. */
struct libcurl {
#define LIBCURL_CALL(name) __typeof__(curl_##name) *name;
	LIBCURL_CALLS(LIBCURL_CALL)
#undef LIBCURL_CALL
};
extern struct libcurl libcurl;

/* May be called again, from any thread. 0 or -errno. */
int libcurl_load(struct why *why);

#endif
