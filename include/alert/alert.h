/* SPDX-License-Identifier: MIT
 *
 * Tells of a filling tmpfs when there is no screen: one line through base/log.h for each alarm, once. (The judgement, with its
 * hysteresis, is in the tick.)
 */
#ifndef ALERT_ALERT_H
#define ALERT_ALERT_H

#include "model/consumer.h"

struct alert;

struct alert *alert_new(void);
void alert_free(struct alert *alert);
struct consumer alert_consumer(struct alert *alert); /* inline */

#endif
