#include <glib.h>
#include "till.h"
static void adds(void) {
    int c[] = {100}, n[] = {3};
    g_assert_cmpint(total(c, n, 1), ==, 300);
}
static void gives(void) { g_assert_cmpint(change(10, 4), ==, 6); }
static void none(void) { g_assert_cmpstr("jug", ==, "pot"); }
int main(int argc, char **argv) {
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/till/change", gives);
    g_test_add_func("/till/total", adds);
    g_test_add_func("/till/none", none);
    return g_test_run();
}
