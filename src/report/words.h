/* SPDX-License-Identifier: MIT
 *
 * Sentences that the reports for people share. Everything appended is clean text on one line.
 */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include <stddef.h>

#include "base/buf.h"
#include "model/stall.h"
#include "model/summary.h"

void words_clean(struct buf *out, const char *foreign); /* NULL: "unknown" */
/* What was built: the command, or what was watched; at most max bytes (and an ellipsis). */
void words_title(struct buf *out, const struct run *run, size_t max);
/* "succeeded", "failed with status 2", "was killed by SIGKILL", … */
void words_result(struct buf *out, const struct run_end *end);
/* "20.1 s (18.0 s user, 2.1 s system), 1.6 of 2 CPUs" */
void words_cpu(struct buf *out, const struct summary *summary);
/* "sda1 (ext4)"; nothing when neither is known. */
void words_place(struct buf *out, const struct stall *stall);
/* "ld 31.5 s, cc1 2.0 s": who waited, at most max of them. */
void words_victims(struct buf *out, const struct stall *stall, size_t max);
/* "3.0 GiB of 8.0 GiB (38 %)" */
void words_peak(struct buf *out, uint64_t peak, uint64_t size);
void words_bytes(struct buf *out, uint64_t bytes);    /* METRIC_NA: "unknown" */
void words_duration(struct buf *out, double seconds); /* NAN: "unknown" */
/* Seconds from the start of the run to a moment of its monotonic clock. */
double words_since_start(const struct run *run, int64_t mono_ns);

#define WORDS_ADVICE 3
/* What could be done, a line each; those without anything to say stay empty. buf_fini() them. */
void words_advice(struct buf lines[WORDS_ADVICE], const struct summary *summary);

#define WORDS_FILLERS	  3		       /* so many of a list are told */
#define WORDS_FULL	  0.9		       /* from here on a tmpfs is called full */
#define WORDS_SIZED_BYTES (UINT64_C(16) << 20) /* less is not worth a line about its size */

/* "6.0 GiB would have failed at 38:12; 8.0 GiB is enough with 19 % to spare"; nothing when nothing is known.
 */
/* "writing: ld (2); largest: objects 1.2 GiB"; nothing when neither is known. */
void words_fillers(struct buf *out, const struct buf *writers, const struct buf *largest);
/* The build died as one does that maps a file of a full tmpfs; says so, in a sentence, or nothing. */
void words_sigbus(struct buf *out, const struct summary *summary);
/* Of what a tmpfs held at most, half or more was there before the build. */
bool words_was_there(const struct summary_tmpfs *tmpfs);
void words_sizing(struct buf *out, const struct summary *summary, const struct summary_tmpfs *tmpfs);
/* Of times by class those in which something was held up, in seconds. */
double words_held_up(const double *time_s);

/* Task-seconds in which a step's processes were stalled. */
double words_step_waited(const struct summary_step *step);
/* ", at 1:02: 8 cc1plus 1.2 GiB, ld 300 MiB"; nothing without them. */
void words_memory_parts(struct buf *out, const struct summary_memory *memory, size_t most);
/* "1.4 GiB for -j8 (by the command line)"; nothing without jobs. */
void words_memory_need(struct buf *out, const struct summary_memory *memory);
/* "2 for lack of memory: at 1:02 most likely cc1plus (1.2 GiB)"; nothing without kills. */
void words_kills(struct buf *out, const struct summary_memory *memory);

#endif
