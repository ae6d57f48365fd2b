#include "calc.h"

int scale(int a)
{
    return a * 65536 * 65536;
}
