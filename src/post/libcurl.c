/* SPDX-License-Identifier: MIT
 *
 * Knows where libcurl's calls are. Invariant: either all of them are there or none is taken, and once there
 * they stay: it is never closed. Any thread.
 */
#include "libcurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

struct libcurl libcurl;

static const struct {
	const char *name;
	size_t offset;
} calls[] = {
#define LIBCURL_CALL(name) {"curl_" #name, offsetof(struct libcurl, name)},
	LIBCURL_CALLS(LIBCURL_CALL)
#undef LIBCURL_CALL
};

static struct why cannot;
static int load_error;

static int load(struct libcurl *into)
{
	void *library = dlopen(LIBCURL_SONAME, RTLD_NOW | RTLD_LOCAL);

	if (library == NULL)
		return why_set(&cannot, -ENOENT, "libcurl cannot be loaded: %s", dlerror());
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		void *call = dlsym(library, calls[i].name);

		if (call == NULL) {
			dlclose(library);
			return why_set(&cannot, -ENOSYS, "libcurl has no %s", calls[i].name);
		}
		memcpy((char *)into + calls[i].offset, &call, sizeof call);
	}
	return 0;
}

static void load_once(void)
{
	struct libcurl loaded;

	load_error = load(&loaded);
	if (load_error == 0)
		libcurl = loaded;
}

int libcurl_load(struct why *why)
{
	enum { NOT_LOADED, LOADING, LOADED };
	static atomic_int state = NOT_LOADED;
	int expected = NOT_LOADED;

	if (atomic_compare_exchange_strong(&state, &expected, LOADING)) {
		load_once();
		atomic_store(&state, LOADED);
	}
	while (atomic_load(&state) != LOADED) /* another thread is at it, for milliseconds */
		sched_yield();
	return load_error == 0 ? 0 : why_set(why, load_error, "%s", cannot.text);
}
