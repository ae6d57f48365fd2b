x = 1
puts "a"
