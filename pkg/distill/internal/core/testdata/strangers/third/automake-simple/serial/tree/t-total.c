#include <stdio.h>
#include "till.h"
int main(void) {
    int c[] = {100}, n[] = {3}, t = total(c, n, 1);
    if (t == 300) return 0;
    fprintf(stderr, "%s:%d: total is %d, not 300\n", __FILE__, __LINE__, t);
    return 1;
}
