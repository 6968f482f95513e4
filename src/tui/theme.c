/* SPDX-License-Identifier: MIT
 *
 * The table of roles and the pairs ncurses wants for them. Pairs are made when first asked for, so that
 * terminals with only 64 of them have enough; when they run out, the role goes on with its attributes alone.
 */
#include "theme.h"

#include <stdlib.h>
#include <string.h>

struct role {
	short colour_8;
	short colour_256;
	attr_t attr; /* with colours */
	attr_t mono; /* without */
};

static const struct role roles[THEME_COUNT] = {
	[THEME_TEXT] = {-1, -1, 0, 0},
	[THEME_DIM] = {-1, 244, 0, A_DIM},
	[THEME_LABEL] = {COLOR_CYAN, 110, 0, 0},
	[THEME_STRONG] = {-1, -1, A_BOLD, A_BOLD},
	[THEME_GOOD] = {COLOR_GREEN, 71, 0, 0},
	[THEME_WARN] = {COLOR_YELLOW, 220, A_BOLD, A_BOLD},
	[THEME_ALARM] = {COLOR_RED, 196, A_BOLD, A_REVERSE | A_BOLD},
	[THEME_BUILD] = {COLOR_GREEN, 71, 0, 0},
	[THEME_OTHER] = {COLOR_BLUE, 240, 0, A_DIM},
	[THEME_DIRTY] = {COLOR_YELLOW, 179, 0, 0},
	[THEME_WRITEBACK] = {COLOR_MAGENTA, 133, 0, A_DIM},
	[THEME_LIMIT] = {COLOR_RED, 203, 0, A_BOLD},
	[THEME_LIMIT_LOW] = {COLOR_CYAN, 67, 0, 0},
	[THEME_CACHE] = {COLOR_CYAN, 67, 0, 0},
	[THEME_KEY] = {COLOR_CYAN, 110, A_BOLD, A_BOLD},
	[THEME_INK] = {COLOR_BLACK, 16, 0, 0},
	[THEME_SHADE] = {-1, 236, 0, 0},
	[THEME_CAUSE + CAUSE_CPU] = {COLOR_GREEN, 71, 0, 0},
	[THEME_CAUSE + CAUSE_RUNQUEUE] = {COLOR_CYAN, 109, 0, 0},
	[THEME_CAUSE + CAUSE_DIRTY_THROTTLE] = {COLOR_RED, 203, 0, A_REVERSE},
	[THEME_CAUSE + CAUSE_FLUSH_WAIT] = {COLOR_YELLOW, 214, 0, A_REVERSE},
	[THEME_CAUSE + CAUSE_READ] = {COLOR_BLUE, 75, 0, A_REVERSE},
	[THEME_CAUSE + CAUSE_MEMORY] = {COLOR_MAGENTA, 176, 0, A_REVERSE},
	[THEME_CAUSE + CAUSE_REMOTE_IO] = {COLOR_CYAN, 80, 0, A_REVERSE},
	[THEME_CAUSE + CAUSE_LOCK] = {COLOR_YELLOW, 143, 0, 0},
	[THEME_CAUSE + CAUSE_WAIT] = {-1, 244, 0, A_DIM},
	[THEME_CAUSE + CAUSE_BLOCKED] = {COLOR_WHITE, 252, 0, A_REVERSE},
};

/* What another theme has different, up to a role of THEME_COUNT. */
struct change {
	int role;
	short colour_8, colour_256;
};

/* Darker, for a light ground. */
static const struct change light[] = {
	{THEME_DIM, -1, 242},
	{THEME_LABEL, COLOR_BLUE, 25},
	{THEME_WARN, COLOR_MAGENTA, 130},
	{THEME_ALARM, COLOR_RED, 160},
	{THEME_GOOD, COLOR_GREEN, 28},
	{THEME_BUILD, COLOR_GREEN, 28},
	{THEME_OTHER, COLOR_BLUE, 250},
	{THEME_DIRTY, COLOR_YELLOW, 136},
	{THEME_LIMIT, COLOR_RED, 160},
	{THEME_LIMIT_LOW, COLOR_BLUE, 25},
	{THEME_CACHE, COLOR_BLUE, 67},
	{THEME_KEY, COLOR_BLUE, 25},
	{THEME_INK, COLOR_WHITE, 231},
	{THEME_SHADE, -1, 253},
	{THEME_CAUSE + CAUSE_CPU, COLOR_GREEN, 28},
	{THEME_CAUSE + CAUSE_RUNQUEUE, COLOR_CYAN, 30},
	{THEME_CAUSE + CAUSE_DIRTY_THROTTLE, COLOR_RED, 160},
	{THEME_CAUSE + CAUSE_FLUSH_WAIT, COLOR_YELLOW, 166},
	{THEME_CAUSE + CAUSE_READ, COLOR_BLUE, 26},
	{THEME_CAUSE + CAUSE_MEMORY, COLOR_MAGENTA, 90},
	{THEME_CAUSE + CAUSE_REMOTE_IO, COLOR_CYAN, 30},
	{THEME_CAUSE + CAUSE_LOCK, COLOR_YELLOW, 100},
	{THEME_CAUSE + CAUSE_WAIT, -1, 242},
	{THEME_CAUSE + CAUSE_BLOCKED, COLOR_BLACK, 238},
	{THEME_COUNT, 0, 0},
};

static const struct change contrast[] = {
	{THEME_DIM, COLOR_WHITE, 252},
	{THEME_LABEL, COLOR_CYAN, 123},
	{THEME_BUILD, COLOR_GREEN, 46},
	{THEME_OTHER, COLOR_BLUE, 250},
	{THEME_DIRTY, COLOR_YELLOW, 226},
	{THEME_LIMIT, COLOR_RED, 196},
	{THEME_LIMIT_LOW, COLOR_CYAN, 51},
	{THEME_CACHE, COLOR_CYAN, 51},
	{THEME_SHADE, -1, 240},
	{THEME_CAUSE + CAUSE_DIRTY_THROTTLE, COLOR_RED, 196},
	{THEME_CAUSE + CAUSE_FLUSH_WAIT, COLOR_YELLOW, 226},
	{THEME_COUNT, 0, 0},
};

/* Blue and orange in place of green and red, and no two that differ by these alone. */
static const struct change colour_blind[] = {
	{THEME_GOOD, COLOR_BLUE, 75},
	{THEME_BUILD, COLOR_BLUE, 75},
	{THEME_ALARM, COLOR_YELLOW, 214},
	{THEME_LIMIT, COLOR_YELLOW, 214},
	{THEME_DIRTY, COLOR_WHITE, 230},
	{THEME_WRITEBACK, COLOR_MAGENTA, 175},
	{THEME_CAUSE + CAUSE_CPU, COLOR_BLUE, 75},
	{THEME_CAUSE + CAUSE_RUNQUEUE, COLOR_CYAN, 117},
	{THEME_CAUSE + CAUSE_DIRTY_THROTTLE, COLOR_YELLOW, 208},
	{THEME_CAUSE + CAUSE_FLUSH_WAIT, COLOR_WHITE, 230},
	{THEME_CAUSE + CAUSE_READ, COLOR_BLUE, 33},
	{THEME_CAUSE + CAUSE_MEMORY, COLOR_MAGENTA, 175},
	{THEME_COUNT, 0, 0},
};

static const struct {
	const char *name;
	const struct change *changes; /* NULL: none */
	bool mono;
} themes[] = {
	{"default", NULL, false},      {"light", light, false},
	{"contrast", contrast, false}, {"colour-blind", colour_blind, false},
	{"mono", NULL, true},
};
#define N_THEMES (sizeof themes / sizeof *themes)

static size_t chosen;
static bool can_colour, colour, shades;
static short colours[THEME_COUNT]; /* of the theme on this terminal; -1: the terminal's own */
static unsigned char pairs[THEME_COUNT + 1]
			  [THEME_COUNT + 1]; /* [role][ground], THEME_COUNT: the terminal's own */
static int next_pair, max_pair;

static void use_theme(void)
{
	const struct change *change = themes[chosen].changes;

	memset(pairs, 0, sizeof pairs);
	next_pair = 1;
	colour = can_colour && !themes[chosen].mono;
	shades = colour && COLORS >= 256;
	for (int role = 0; role < THEME_COUNT; role++)
		colours[role] = shades ? roles[role].colour_256 : roles[role].colour_8;
	for (; change && change->role < THEME_COUNT; change++)
		colours[change->role] = shades ? change->colour_256 : change->colour_8;
}

bool theme_choose(const char *name)
{
	for (size_t i = 0; i < N_THEMES; i++)
		if (strcmp(themes[i].name, name) == 0) {
			chosen = i;
			return true;
		}
	return false;
}

const char *theme_name(void)
{
	return themes[chosen].name;
}

void theme_next(void)
{
	chosen = (chosen + 1) % N_THEMES;
	use_theme();
}

void theme_init(void)
{
	const char *no_color = getenv("NO_COLOR");

	can_colour = !(no_color && *no_color) && has_colors() && start_color() == OK && COLORS >= 8;
	max_pair = COLOR_PAIRS > 256 ? 255 : COLOR_PAIRS - 1;
	if (can_colour)
		use_default_colors();
	use_theme();
}

bool theme_has_colour(void)
{
	return colour;
}

bool theme_has_shades(void)
{
	return shades;
}

static short role_colour(int role)
{
	return role == THEME_COUNT ? -1 : colours[role];
}

static attr_t pair_attr(int role, int ground)
{
	unsigned char *pair = &pairs[role][ground];

	if (!*pair) {
		if (next_pair > max_pair ||
		    init_pair((short)next_pair, role_colour(role), role_colour(ground)) == ERR)
			return 0;
		*pair = (unsigned char)next_pair++;
	}
	return COLOR_PAIR(*pair);
}

attr_t theme(enum theme_role role)
{
	if (!colour)
		return roles[role].mono;
	if (role_colour(role) == -1)
		return roles[role].attr;
	return roles[role].attr | pair_attr(role, THEME_COUNT);
}

attr_t theme_on(enum theme_role role, enum theme_role ground)
{
	if (!colour)
		return ground == THEME_SHADE ? roles[role].mono : roles[role].mono | A_REVERSE;
	if (role_colour(ground) == -1) /* no such ground here: a tint is left out, a badge is reversed */
		return ground == THEME_SHADE ? theme(role) : roles[role].attr | A_REVERSE;
	return roles[role].attr | pair_attr(role, ground);
}

enum theme_role theme_cause(enum cause cause)
{
	return cause < CAUSE_COUNT ? THEME_CAUSE + cause : THEME_DIM;
}
