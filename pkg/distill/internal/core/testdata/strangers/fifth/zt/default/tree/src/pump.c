#include "pump.h"
int litres(int strokes) { return strokes * 3 / 2; }
const char *state(int litres) { return litres > 10 ? "full" : "filling"; }
