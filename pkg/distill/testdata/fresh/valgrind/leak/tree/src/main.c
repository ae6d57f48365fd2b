#include "buf.h"
#include <stdio.h>

int main(void)
{
    printf("%d\n", sum(4));
    return 0;
}
