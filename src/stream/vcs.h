/* SPDX-License-Identifier: MIT
 *
 * Which commit a directory is at, read from git's files without running git.
 */
#ifndef STREAM_VCS_H
#define STREAM_VCS_H

/* The commit of the work tree that holds the directory, in hex; free() it. NULL: none, or not readable. */
char *vcs_commit(const char *directory);

#endif
