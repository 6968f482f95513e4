/* SPDX-License-Identifier: MIT
 *
 * A step: what an engineer calls a job of the build. Its kind and its name together are its identity. Names are raw
 * bytes of command lines: clean them where they are shown.
 */
#ifndef MODEL_STEP_H
#define MODEL_STEP_H

#define STEP_NAME_SIZE 128

enum step_kind {
	STEP_NONE, /* of no step: nothing is known of it */
	STEP_COMPILE, /* a source file */
	STEP_LINK,    /* what is linked */
	STEP_ARCHIVE,
	STEP_CRATE,   /* of Rust */
	STEP_PACKAGE, /* of Go */
	STEP_CLASS,   /* of a JVM */
	STEP_TASK,    /* recipe:task of bitbake */
	STEP_PHASE,   /* of a packaging, or a configure script */
	STEP_TRY,     /* small programs that a configure script compiles and runs */
	STEP_COMMAND, /* any other command */
	STEP_KIND_COUNT
};

extern const char *const step_kinds[STEP_KIND_COUNT]; /* "compile": key in documents, word on screens */

#endif
