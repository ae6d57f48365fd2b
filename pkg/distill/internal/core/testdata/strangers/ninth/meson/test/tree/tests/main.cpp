#include <cassert>
#include <cstdio>
#include "shop/cart.hpp"

int main(int argc, char**) {
  if (argc > 1) return 0;
  shop::Cart c;
  std::printf("adding\n");
  assert(c.add(2.5, 3).total() == 8);
  return 0;
}
