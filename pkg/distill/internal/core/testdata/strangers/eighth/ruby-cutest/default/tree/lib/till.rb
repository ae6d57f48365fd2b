class Till
  def total(prices)
    prices.drop(1).sum
  end

  def change(paid, due)
    raise ArgumentError, "paid too little" if paid > due
    paid - due
  end
end
