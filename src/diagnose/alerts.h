/* SPDX-License-Identifier: MIT
 *
 * The alerts of a run: what is to be told is judged at every tick, and one episode is raised once.
 */
#ifndef DIAGNOSE_ALERTS_H
#define DIAGNOSE_ALERTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/alert.h"
#include "model/run.h"
#include "model/tick.h"

/* One of the two things of which a file system can run out. */
struct supply {
	double used, size; /* size NAN: no limit; of a tmpfs, what it can come to at most */
	double fill;	   /* used / size; NAN: unknown */
	double left;
	double growth_per_s, growth_low, growth_high;
	double seconds_to_full, seconds_min, seconds_max;
	double grown; /* within the window, as a part of its size */
	double grown_ever; /* since it was at its lowest */
	bool rising;  /* within the last seconds: a step that is over is no growth */
	bool at_peak; /* as full as it ever was within the window */
};

struct episode_open {
	size_t spec;
	uint64_t about; /* device, or number of the stall */
	uint32_t number;
	int64_t quiet_ns;  /* since when its condition is over; 0: it is not */
	int64_t judged_ns; /* last */
};

struct alerts {
	struct alert_spec *specs; /* the last one is for a held build */
	size_t n_specs;
	struct episode_open *open;
	size_t n_open, cap_open;
	uint32_t raised; /* episodes so far */
};

void alerts_init(struct alerts *alerts, const struct run *run);
void alerts_copy(struct alerts *to, const struct alerts *from); /* to is fresh storage */
void alerts_fini(struct alerts *alerts);

/* Those about mount i; sets its alarm. */
void alerts_mount(struct alerts *alerts, const struct sample *sample, size_t i, const struct supply *bytes,
		  const struct supply *inodes, struct tick *tick);
/* All others. Behind the stalls, the rates and the mounts. */
void alerts_step(struct alerts *alerts, const struct sample *sample, struct tick *tick);

#endif
