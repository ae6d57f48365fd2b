package shop

import org.scalatest.flatspec.AnyFlatSpec

class PriceSpec extends AnyFlatSpec {
  "Price" should "add" in {
    assert(Price.total(List(2, 4)) == 6)
  }
}
