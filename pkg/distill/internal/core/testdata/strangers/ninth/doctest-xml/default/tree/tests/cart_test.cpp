#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include "shop/cart.hpp"

using shop::Cart;

TEST_SUITE("cart") {
TEST_CASE("totals") {
  SUBCASE("empty") { CHECK(Cart().total() == 0); }
  SUBCASE("half cents") {
    CHECK_MESSAGE(Cart().add(2.5, 3).total() == 8, "three teas");
  }
}

TEST_CASE("first item") {
  CHECK_EQ(Cart().first(), "tea");
}

TEST_CASE("later" * doctest::skip()) {}
}
