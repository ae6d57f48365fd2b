require "test/unit"
require_relative "../lib/price"

class PriceTest < Test::Unit::TestCase
  def test_total
    assert_equal 6, Price.new.total([{ price: 2, qty: 3 }])
  end

  def test_label
    assert_equal "ANON", Price.new.label(nil)
  end

  def test_empty
    assert_equal 0, Price.new.total([])
  end

  def test_later
    omit
  end
end
