package org.shop

import org.scalatest.funsuite.AnyFunSuite

class CartSpec extends AnyFunSuite {
  test("rounds up") {
    assert(new Cart().total === 8)
  }
}
