#include "till.h"
int main(void) { return name(0) != 0; }
