require_relative "lib/price"
puts Price.new.label(nil)
