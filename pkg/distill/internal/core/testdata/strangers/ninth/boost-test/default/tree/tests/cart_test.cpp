#define BOOST_TEST_MODULE shop
#include <boost/test/included/unit_test.hpp>
#include "shop/cart.hpp"

using shop::Cart;

BOOST_AUTO_TEST_SUITE(cart)

BOOST_AUTO_TEST_CASE(empty) { BOOST_TEST(Cart().total() == 0); }

BOOST_AUTO_TEST_CASE(half_cents) {
  BOOST_TEST(Cart().add(2.5, 3).total() == 8);
}

BOOST_AUTO_TEST_CASE(first) {
  BOOST_CHECK_EQUAL(Cart().first(), "tea");
}

BOOST_AUTO_TEST_SUITE_END()
