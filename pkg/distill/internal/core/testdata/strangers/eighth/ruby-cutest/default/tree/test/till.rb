require_relative "../lib/till"

setup { Till.new }

test "adds prices up" do |till|
  assert_equal till.total([2, 3]), 5
end

test "gives nothing for nothing" do |till|
  assert_equal till.total([]), 0
end

test "gives change" do |till|
  assert_equal till.change(10, 7), 3
end
