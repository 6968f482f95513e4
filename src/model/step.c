/* SPDX-License-Identifier: MIT
 *
 * The words for kinds of steps. They are keys in documents, so they are for ever.
 */
#include "model/step.h"

const char *const step_kinds[STEP_KIND_COUNT] = {
	[STEP_NONE] = "none",	    [STEP_COMPILE] = "compile", [STEP_LINK] = "link",
	[STEP_ARCHIVE] = "archive", [STEP_CRATE] = "crate",	[STEP_PACKAGE] = "package",
	[STEP_CLASS] = "class",	    [STEP_TASK] = "task",	[STEP_PHASE] = "phase",
	[STEP_TRY] = "try",	    [STEP_COMMAND] = "command",
};
