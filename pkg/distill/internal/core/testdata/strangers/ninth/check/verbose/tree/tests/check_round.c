#include <check.h>
#include <stdlib.h>
#include "../src/round.h"

START_TEST(test_whole)
{
    ck_assert_int_eq(cents(2.0), 2);
}
END_TEST

START_TEST(test_half)
{
    ck_assert_int_eq(cents(7.5), 8);
}
END_TEST

START_TEST(test_null)
{
    ck_assert_int_eq(name_len(0), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("Round");
    TCase *tc = tcase_create("core");
    tcase_add_test(tc, test_whole);
    tcase_add_test(tc, test_half);
    tcase_add_test(tc, test_null);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_ENV);
    int n = srunner_ntests_failed(sr);
    srunner_free(sr);
    return n ? 1 : 0;
}
