#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "../src/round.h"

static void test_whole(void **state)
{
    (void)state;
    assert_int_equal(cents(2.0), 2);
}

static void test_half(void **state)
{
    (void)state;
    assert_int_equal(cents(7.5), 8);
}

static void test_later(void **state)
{
    (void)state;
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_half),
        cmocka_unit_test(test_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
