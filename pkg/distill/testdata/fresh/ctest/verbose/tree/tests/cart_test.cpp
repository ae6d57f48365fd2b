#include <gtest/gtest.h>
#include "shop/cart.hpp"

using shop::Cart;

TEST(CartTest, Empty) { EXPECT_EQ(Cart().total(), 0); }

TEST(CartTest, RoundsUp) {
  Cart cart;
  EXPECT_EQ(cart.add(2.5, 3).total(), 8) << "three teas";
}

TEST(CartTest, First) {
  EXPECT_EQ(Cart().first(), "tea");
}

TEST(CartTest, Skipped) { GTEST_SKIP() << "later"; }

class Prices : public ::testing::TestWithParam<double> {};
TEST_P(Prices, AreRounded) { EXPECT_EQ(shop::cents(GetParam()), 3); }
INSTANTIATE_TEST_SUITE_P(All, Prices, ::testing::Values(3.0, 2.5));
