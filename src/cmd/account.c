/* SPDX-License-Identifier: MIT
 *
 * Opens a recording as the user names it and sums it up with the tally that sums up a live run, so both say
 * the same.
 */
#include "account.h"

#include <errno.h>
#include <stdlib.h>

#include "say.h"
#include "store/shelf.h"

static void tally_tick(void *self, const struct tick *tick, uint64_t dropped)
{
	tally_add(self, tick, dropped);
}

struct consumer account_tally_consumer(struct tally *tally)
{
	return (struct consumer){.name = "tally", .self = tally, .tick = tally_tick};
}

int account_open(struct account *account, const char *name, struct why *why)
{
	*account = (struct account){.path = shelf_resolve(name, why)};
	if (account->path == NULL)
		return -ENOENT;
	int error = replay_open(&account->replay, account->path, why);
	if (error < 0) {
		account_close(account);
		return error;
	}
	return 0;
}

void account_close(struct account *account)
{
	if (account->replay != NULL) {
		const char *damage = replay_damage(account->replay);
		if (damage != NULL)
			say("%s: %s", account->path, damage);
		replay_close(account->replay);
	}
	free(account->path);
	*account = (struct account){0};
}

int account_summary(struct account *account, struct summary *summary, struct why *why)
{
	struct tally *tally = tally_new(replay_run(account->replay));
	struct consumer consumer = account_tally_consumer(tally);
	int error = replay_feed(account->replay, &consumer, 1, why);
	if (error >= 0)
		tally_summary(tally, replay_end(account->replay), summary);
	tally_free(tally);
	return error < 0 ? error : 0;
}
