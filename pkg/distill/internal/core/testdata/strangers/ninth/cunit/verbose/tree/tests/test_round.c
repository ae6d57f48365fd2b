#include <CUnit/Basic.h>
#include "../src/round.h"

static void whole(void) { CU_ASSERT_EQUAL(cents(2.0), 2); }
static void half(void)
{
    CU_ASSERT_EQUAL(cents(7.5), 8);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite s = CU_add_suite("rounding", 0, 0);
    CU_add_test(s, "whole numbers", whole);
    CU_add_test(s, "half cents", half);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    int n = CU_get_number_of_tests_failed();
    CU_cleanup_registry();
    return n ? 1 : 0;
}
