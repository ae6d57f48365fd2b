#include "calc.h"
#include <stdio.h>
int main(int c, char **v)
{
    printf("%d\n", scale(c + 70000));
    return 0;
}
