#include "price.h"
#include <gtest/gtest.h>
TEST(Price, Adds) {
  EXPECT_EQ(total({2, 3}), 5);
  EXPECT_STREQ(label("a").c_str(), "A") << "label of a";
}
TEST(Price, Empty) { EXPECT_THROW(label(""), std::logic_error); }
TEST(Price, Ok) { EXPECT_EQ(label("x"), "x"); }
TEST(Price, Skip) { GTEST_SKIP() << "later"; }
TEST(Price, Vec) { EXPECT_EQ((std::vector<int>{1, 2}), (std::vector<int>{1, 3})); }
