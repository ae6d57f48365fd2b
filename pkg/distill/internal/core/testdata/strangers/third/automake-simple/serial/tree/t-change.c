#include <stdio.h>
#include "till.h"
int main(void) {
    puts("error: this is said for fun");
    return change(10, 4) != 6;
}
