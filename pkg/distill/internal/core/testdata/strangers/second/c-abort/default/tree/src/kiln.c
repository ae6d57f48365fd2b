#include <assert.h>
int heat(int m) { assert(m > 0); return m * 9; }
