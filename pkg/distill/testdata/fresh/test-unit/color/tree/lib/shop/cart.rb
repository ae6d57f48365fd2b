require_relative 'rounding'

module Shop
  class Cart
    def initialize
      @items = []
    end

    def add(name, price, qty = 1)
      @items << [name, price, qty]
      self
    end

    def total
      Rounding.cents(@items.sum { |_, p, q| p * q })
    end
  end
end
