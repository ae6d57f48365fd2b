#include "price.h"
int main() {
  int n = label("x");
  return totl({1});
}
