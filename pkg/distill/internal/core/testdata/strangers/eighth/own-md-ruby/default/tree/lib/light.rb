module Light
  def self.range(metres) = metres / 5 * 3

  def self.flashes(seconds, period) = seconds / period + 1

  def self.colour(bearing)
    raise ArgumentError, "no bearing #{bearing}" if bearing > 180
    bearing < 90 ? "red" : "white"
  end
end
