#include "grid.h"
#include <cstdlib>
#include <stdexcept>
int distance(int x, int y) { return std::abs(x) - std::abs(y); }
int cell(int x, int y, int width)
{
	if (x > width) throw std::out_of_range("x outside of the grid");
	return y * width + x;
}
