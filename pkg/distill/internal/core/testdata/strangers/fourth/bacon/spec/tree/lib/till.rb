class Till
  def total(items) = items.sum { |i| i[:cents] }
  def change(paid, due)
    raise ArgumentError, "paid too little: #{paid}" if paid < due
    paid - due
  end
end
