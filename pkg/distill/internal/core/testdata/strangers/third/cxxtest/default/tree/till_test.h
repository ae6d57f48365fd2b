#include <cxxtest/TestSuite.h>
#include <stdexcept>
#include "till.h"
class TillSuite : public CxxTest::TestSuite {
public:
    void testAddsQuantities() {
        int c[] = {100}, n[] = {3};
        TS_ASSERT_EQUALS(total(c, n, 1), 300);
    }
    void testGivesChange() { TS_ASSERT_EQUALS(change(10, 4), 6); }
    void testLarge() {
        if (change(3, 4) < 0) throw std::runtime_error("paid too little");
    }
};
