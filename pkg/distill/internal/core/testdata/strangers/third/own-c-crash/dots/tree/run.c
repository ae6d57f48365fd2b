#include <stdio.h>
#include "till.h"
static void check(const char *what, int ok) { printf("%s\n", ok ? "fine" : "wrong"); }
int main(void) {
    setbuf(stdout, 0);
    printf("change of ten: "); check("", change(10, 4) == 6);
    printf("nothing to pay: "); check("", change(0, 0) == 0);
    printf("name of nothing: "); check("", name(0) == 0);
    return 0;
}
