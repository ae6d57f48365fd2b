#pragma once
#include <string>
#include <vector>

namespace shop {

long cents(double amount);

class Cart {
 public:
  Cart& add(double price, int qty);
  long total() const;
  std::string first() const;

 private:
  std::vector<double> items_;
};

}  // namespace shop
