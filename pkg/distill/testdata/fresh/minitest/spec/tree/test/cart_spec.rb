require 'minitest/autorun'
require 'shop/cart'

describe Shop::Cart do
  describe 'total' do
    it 'rounds half cents up' do
      _(Shop::Cart.new.add('tea', 2.5, 3).total).must_equal 8
    end
    it 'is free' do
      _(Shop::Cart.new.total).must_equal 0
    end
  end
end
