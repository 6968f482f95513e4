/* SPDX-License-Identifier: MIT
 *
 * The rule: one thread at one moment, as (state, wait channel, system call), to its class. The order of the
 * questions matters and is that of docs/DIAGNOSIS.md. State D alone says nothing: a vfork parent and a queue
 * for an mmap lock are in D on an idle machine. Knows neither time nor other threads; what "0" in state D
 * means is left to who knows the thread's past.
 */
#include "diagnose/site.h"

#include <stddef.h>
#include <string.h>

#include "call.h"
#include "model/sample.h"
#include "symbol.h"

static struct site_verdict verdict(enum cause cause, enum tick_doing doing)
{
	return (struct site_verdict){.cause = cause, .doing = doing};
}

static struct site_verdict stalled(enum cause cause, bool by_call)
{
	return (struct site_verdict){.cause = cause, .doing = TICK_STALLED, .by_call = by_call};
}

/* Waits for a page whose name does not say whether it is being read or written. */
static struct site_verdict judge_page(enum symbol_kind symbol, enum call_kind call)
{
	if (call == CALL_REMOVE)
		return stalled(CAUSE_FLUSH_WAIT, true);
	switch (symbol) {
	case SYMBOL_GRAB: /* a fault takes it to read; where calls are not readable, a writer is likelier */
		if (call == CALL_READ || call == CALL_FAULT)
			return stalled(CAUSE_READ, true);
		return stalled(CAUSE_FLUSH_WAIT, call != CALL_UNKNOWN);
	case SYMBOL_PAGE:
		return stalled(call == CALL_WRITE ? CAUSE_FLUSH_WAIT : CAUSE_READ, true);
	default:
		return stalled(CAUSE_READ, false);
	}
}

static struct site_verdict judge_uninterruptible(const char *wchan, enum call_kind call, bool hidden)
{
	bool nameless = strcmp(wchan, "0") == 0;
	enum symbol_kind symbol = symbol_find(wchan);
	struct site_verdict is;

	if (symbol == SYMBOL_THROTTLE)
		return stalled(CAUSE_DIRTY_THROTTLE, false);
	if (symbol == SYMBOL_MEMORY)
		return stalled(CAUSE_MEMORY, false);
	if (call == CALL_SYNC) {
		is = stalled(CAUSE_FLUSH_WAIT, symbol != SYMBOL_FLUSH);
		is.by_request = true;
		return is;
	}
	switch (symbol) {
	case SYMBOL_FLUSH:
		return stalled(CAUSE_FLUSH_WAIT, false);
	case SYMBOL_GRAB:
	case SYMBOL_PAGE:
	case SYMBOL_READ:
		return judge_page(symbol, call);
	case SYMBOL_REMOTE:
		return stalled(CAUSE_REMOTE_IO, false);
	case SYMBOL_CHILD:
		return verdict(CAUSE_WAIT, TICK_CHILD);
	default:
		break;
	}
	if (nameless && !hidden)
		return verdict(CAUSE_NONE, TICK_UNKNOWN);
	if (nameless || !wchan[0]) {
		is = stalled(CAUSE_BLOCKED, false);
		is.unreadable = true;
		return is;
	}
	return verdict(CAUSE_LOCK, TICK_LOCKED);
}

static struct site_verdict outside(enum tick_doing doing)
{
	return (struct site_verdict){.cause = CAUSE_WAIT, .doing = doing, .outside = true};
}

/* What an interruptible sleep is about, by its call where the symbol is not known. */
static struct site_verdict judge_call(enum call_kind call)
{
	switch (call) {
	case CALL_CHILD:
		return verdict(CAUSE_WAIT, TICK_CHILD);
	case CALL_READ:
	case CALL_WRITE:
		return verdict(CAUSE_WAIT, TICK_PIPE);
	case CALL_POLL:
		return verdict(CAUSE_WAIT, TICK_POLL);
	case CALL_TIMER:
		return outside(TICK_SLEEP);
	case CALL_NETWORK:
		return outside(TICK_POLL);
	case CALL_LOCK:
		return verdict(CAUSE_LOCK, TICK_LOCKED);
	default:
		return verdict(CAUSE_WAIT, TICK_UNKNOWN);
	}
}

static struct site_verdict judge_sleeping(const char *wchan, enum call_kind call)
{
	switch (symbol_find(wchan)) {
	case SYMBOL_REMOTE: /* FUSE lets its callers be interrupted */
		return stalled(CAUSE_REMOTE_IO, false);
	case SYMBOL_MEMORY: /* so does throttle_direct_reclaim */
		return stalled(CAUSE_MEMORY, false);
	case SYMBOL_CHILD:
		return verdict(CAUSE_WAIT, TICK_CHILD);
	case SYMBOL_PIPE:
		return verdict(CAUSE_WAIT, TICK_PIPE);
	case SYMBOL_POLL:
		return verdict(CAUSE_WAIT, TICK_POLL);
	case SYMBOL_NETWORK:
		return outside(TICK_POLL);
	case SYMBOL_TIMER:
		return outside(TICK_SLEEP);
	case SYMBOL_LOCK:
		return verdict(CAUSE_LOCK, TICK_LOCKED);
	default:
		return judge_call(call);
	}
}

struct site_verdict site_judge(const char *machine, char state, const char *wchan, int32_t syscall)
{
	struct site_verdict is;

	if (!wchan)
		wchan = "";
	switch (state) {
	case 'R':
		return verdict(CAUSE_CPU, TICK_RUNNING);
	case 'D':
		is = judge_uninterruptible(wchan, call_kind(machine, syscall), syscall == SITE_CALL_HIDDEN);
		is.in_unlink = is.cause == CAUSE_FLUSH_WAIT && call_is_unlink(machine, syscall);
		return is;
	case 'S':
		return judge_sleeping(wchan, call_kind(machine, syscall));
	case 'T':
	case 't':
		return verdict(CAUSE_WAIT, TICK_STOPPED);
	case 'Z':
	case 'X':
		return verdict(CAUSE_NONE, TICK_ZOMBIE);
	default:
		return verdict(CAUSE_NONE, TICK_UNKNOWN);
	}
}

enum cause site_guess(const char *machine, int32_t syscall)
{
	switch (call_kind(machine, syscall)) {
	case CALL_SYNC:
	case CALL_REMOVE:
	case CALL_WRITE:
		return CAUSE_FLUSH_WAIT;
	case CALL_READ:
	case CALL_FAULT:
		return CAUSE_READ;
	case CALL_CHILD:
		return CAUSE_WAIT;
	default:
		return CAUSE_NONE;
	}
}

const char *site_call_name(const char *machine, int32_t syscall)
{
	const struct call *call = call_find(machine, syscall);

	return call ? call->name : NULL;
}
