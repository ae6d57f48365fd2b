#define BOOST_TEST_MODULE bag
#include <boost/test/included/unit_test.hpp>
#include "bag.h"
BOOST_AUTO_TEST_CASE(adds) {
  BOOST_CHECK(sum(1, 2) == 3);
  BOOST_REQUIRE_EQUAL(sum(2, 2), 4);
}
BOOST_AUTO_TEST_CASE(throws) { BOOST_CHECK_THROW(sum(-1, 0), int); }
