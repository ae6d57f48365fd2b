class Q
  def n = 1
  def m(
end
