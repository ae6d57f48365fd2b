require 'test/unit'
require 'shop/cart'
require 'shop/label'

class CartTest < Test::Unit::TestCase
  def test_empty
    assert_equal 0, Shop::Cart.new.total
  end

  def test_rounds_up
    assert_equal 8, Shop::Cart.new.add('tea', 2.5, 3).total, 'three teas'
  end

  def test_nobody
    assert_equal 'anonymous', Shop.label(name: nil)
  end

  def test_refund
    omit 'later'
  end
end
