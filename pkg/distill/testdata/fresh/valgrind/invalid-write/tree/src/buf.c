#include "buf.h"
#include <stdlib.h>

int sum(int n)
{
    int *a = malloc(n * sizeof *a);
    int s = 0;
    for (int i = 0; i <= n; i++)
        s += a[i] = i;
    free(a);
    return s;
}
