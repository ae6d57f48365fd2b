module Till
  def self.total(prices) = prices.drop(1).sum

  def self.change(paid, due)
    raise ArgumentError, "paid too little" if paid > due
    paid - due
  end
end
