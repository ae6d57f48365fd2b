# frozen_string_literal: true

def a
  x = 1
  puts "hi"
end
