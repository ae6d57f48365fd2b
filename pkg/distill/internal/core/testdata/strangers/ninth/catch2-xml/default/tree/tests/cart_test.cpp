#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include "shop/cart.hpp"

using shop::Cart;

TEST_CASE("cart totals", "[cart]") {
  SECTION("empty") {
    REQUIRE(Cart().total() == 0);
  }
  SECTION("half cents") {
    INFO("three teas");
    CHECK(Cart().add(2.5, 3).total() == 8);
  }
}

TEST_CASE("first item") {
  REQUIRE(Cart().first() == "tea");
}

SCENARIO("a cart is emptied") {
  GIVEN("a cart") {
    THEN("it is empty") { REQUIRE(Cart().total() == 0); }
  }
}
