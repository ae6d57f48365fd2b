require "minitest/autorun"
require_relative "../lib/price"

class PriceTest < Minitest::Test
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
    skip
  end
end

describe "price spec" do
  it "compares hashes" do
    _({ a: 1, b: 2 }).must_equal({ a: 1, b: 3 })
  end
end
