class Lot
  def price = 6
  def tax = 2
end
