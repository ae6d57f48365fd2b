module Shop
  module Rounding
    def self.cents(amount)
      amount.floor
    end
  end
end
