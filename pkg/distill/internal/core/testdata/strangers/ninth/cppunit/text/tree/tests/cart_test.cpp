#include <cppunit/extensions/HelperMacros.h>
#include <cppunit/extensions/TestFactoryRegistry.h>
#include <cppunit/ui/text/TestRunner.h>
#include "shop/cart.hpp"

class CartTest : public CppUnit::TestFixture {
  CPPUNIT_TEST_SUITE(CartTest);
  CPPUNIT_TEST(testEmpty);
  CPPUNIT_TEST(testHalf);
  CPPUNIT_TEST(testFirst);
  CPPUNIT_TEST_SUITE_END();

 public:
  void testEmpty() { CPPUNIT_ASSERT_EQUAL(0L, shop::Cart().total()); }
  void testHalf() {
    CPPUNIT_ASSERT_EQUAL(8L, shop::Cart().add(2.5, 3).total());
  }
  void testFirst() { shop::Cart().first(); }
};
CPPUNIT_TEST_SUITE_REGISTRATION(CartTest);

int main() {
  CppUnit::TextUi::TestRunner r;
  r.addTest(CppUnit::TestFactoryRegistry::getRegistry().makeTest());
  return r.run() ? 0 : 1;
}
