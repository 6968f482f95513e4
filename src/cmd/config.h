/* SPDX-License-Identifier: MIT
 *
 * The configuration file: $XDG_CONFIG_HOME/buildtop/config, else ~/.config/buildtop/config.
 */
#ifndef CMD_CONFIG_H
#define CMD_CONFIG_H

#include <stdbool.h>

#include "base/why.h"

/* Calls for each line; value NULL: none was given. No file is fine. 0 or -errno, and why with the line's
 * number. *others_read (may be NULL): others may read the file. */
int config_read(int (*take)(void *self, const char *key, const char *value, struct why *why), void *self,
		bool *others_read, struct why *why);

#endif
