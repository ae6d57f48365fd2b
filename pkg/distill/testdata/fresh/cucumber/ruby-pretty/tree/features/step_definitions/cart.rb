require 'shop/cart'

Given('a cart') { @cart = Shop::Cart.new }
When('I add 3 teas') { @cart.add('tea', 2.5, 3) }
Then(/^the total is (\d+)$/) do |n|
  n = n.to_i
  raise "total is #{@cart.total}, not #{n}" unless @cart.total == n
end
