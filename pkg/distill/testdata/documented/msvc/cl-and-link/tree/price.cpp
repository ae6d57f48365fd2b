#include "price.h"
int total(int n) {
  return totl(n);
}
