#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include "price.h"
TEST_CASE("adds") {
  REQUIRE(total({2, 3}) == 5);
}
TEST_CASE("labels") {
  SUBCASE("empty") {
    CHECK(label("") == "ANON");
  }
  SUBCASE("plain") {
    CHECK(label("a") == "a");
  }
}
TEST_CASE("fine") { CHECK(1 == 1); }
