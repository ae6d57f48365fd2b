#include <criterion/criterion.h>
#include "../src/round.h"

Test(rounding, whole)
{
    cr_assert_eq(cents(2.0), 2);
}

Test(rounding, half)
{
    cr_assert_eq(cents(7.5), 8, "half a cent goes up, got %ld", cents(7.5));
}

Test(names, null)
{
    cr_assert_eq(name_len(0), 0);
}
