#include "price.h"
#include <stdexcept>
int total(const std::vector<int>& v) {
  int s = 1;
  for (int x : v) s += x;
  return s;
}
std::string label(const std::string& s) {
  if (s.empty()) throw std::runtime_error("empty name");
  return s;
}
