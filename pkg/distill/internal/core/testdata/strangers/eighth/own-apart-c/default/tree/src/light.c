#include "light.h"

int light_range(int metres) { return metres / 5 * 3; }

int light_flashes(int seconds, int period) { return seconds / period + 1; }

int light_bearing(int degrees) { return degrees % 360; }
