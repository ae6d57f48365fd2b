#include "shop/cart.hpp"

namespace shop {

long cents(double amount) {
  return static_cast<long>(amount);
}

}  // namespace shop
