#include <cpptest.h>
#include <iostream>
#include "../src/grid.h"

class GridSuite : public Test::Suite {
public:
	GridSuite()
	{
		TEST_ADD(GridSuite::origin)
		TEST_ADD(GridSuite::both_ways_count)
		TEST_ADD(GridSuite::last_cell)
		TEST_ADD(GridSuite::outside_throws)
	}
private:
	void origin() { TEST_ASSERT(distance(0, 0) == 0) }
	void both_ways_count()
	{
		TEST_ASSERT_MSG(distance(2, 3) == 5, "two right and three down is five")
	}
	void last_cell() { TEST_ASSERT(cell(2, 1, 3) == 5) }
	void outside_throws()
	{
		TEST_THROWS_ANYTHING(cell(3, 0, 3))
	}
};

int main()
{
	GridSuite s;
	Test::TextOutput out(Test::TextOutput::Verbose);
	return s.run(out) ? 0 : 1;
}
