#include <UnitTest++/UnitTest++.h>
#include <stdexcept>
#include "till.h"
SUITE(Till) {
TEST(AddsQuantities) {
    int c[] = {100}, n[] = {3};
    CHECK_EQUAL(300, total(c, n, 1));
}
TEST(GivesChange) { CHECK_EQUAL(6, change(10, 4)); }
TEST(AsksForMore) {
    if (change(3, 4) < 0) throw std::runtime_error("paid too little");
}
}
int main() { return UnitTest::RunAllTests(); }
