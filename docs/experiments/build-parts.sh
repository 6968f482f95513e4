#!/bin/sh
# SPDX-License-Identifier: MIT
# Four parts, one after the other, as a distribution's build has them; RM_WORK=1 cleans up behind each.
set -e
for part in 1 2 3 4; do
	cp -a src work$part
	make -C work$part -j2
	cp work$part/tmux tmux$part
	[ -z "$RM_WORK" ] || rm -rf work$part
done
