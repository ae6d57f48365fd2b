#include "CppUTest/CommandLineTestRunner.h"
#include "till.h"
TEST_GROUP(Till) {};
TEST(Till, AddsQuantities) {
    int c[] = {100}, n[] = {3};
    LONGS_EQUAL_TEXT(300, total(c, n, 1), "three of a kind");
}
TEST(Till, GivesChange) {
    LONGS_EQUAL(6, change(10, 4));
}
TEST(Till, AsksForMore) {
    CHECK_TEXT(change(3, 4) == 0, "nothing is given back");
}
IGNORE_TEST(Till, Later) {}
int main(int argc, char **argv) { return RUN_ALL_TESTS(argc, argv); }
