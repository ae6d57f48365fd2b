#include <stdio.h>
#include <stdlib.h>
#include "../src/hive.h"
#include "testhelp.h"

int __failed_tests = 0;
int __test_num = 0;

int main(void) {
    test_cond("a box has ten frames", hive_frames(2) == 20);
    test_cond("full frames give two kilos each", hive_honey(10, 3) == 6);
    test_cond("no full frame gives nothing", hive_honey(10, 0) == 0);
    test_cond("fifteen kilos last the winter", hive_winter(15));
    test_report();
    return 0;
}
