int litres(int strokes);
const char *state(int litres);
