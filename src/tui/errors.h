/* SPDX-License-Identifier: MIT
 *
 * Errors and warnings in what a build prints. Pure.
 */
#ifndef TUI_ERRORS_H
#define TUI_ERRORS_H

enum errors_kind { ERRORS_NONE, ERRORS_WARNING, ERRORS_ERROR };

enum errors_kind errors_kind(const char *line);

#endif
