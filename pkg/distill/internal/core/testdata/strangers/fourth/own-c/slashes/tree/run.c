#include <stdio.h>
#include <stdlib.h>
#include "till.h"
static int bad, all;
#define CASE(name, cond) do { all++; printf("[%02d] %-24s", all, name); \
  if (cond) puts(" yes"); else { bad++; printf(" no\n     %s\n     (%s, line %d)\n", #cond, __FILE__, __LINE__); } } while (0)
int main(void) {
    int c[] = {100}, n[] = {3};
    CASE("change of ten", change(10, 4) == 6);
    CASE("three of a kind", total(c, n, 1) == 300);
    CASE("too little", change(3, 4) == 0);
    CASE("nothing to pay", change(0, 0) == 0);
    printf("\n%d yes, %d no\n", all - bad, bad);
    return bad != 0;
}
