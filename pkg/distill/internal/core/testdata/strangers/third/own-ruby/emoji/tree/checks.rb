require 'till'
CHECKS = {
  'change of ten' => -> { Till.new.change(10, 4) == 6 },
  'three of a kind' => -> { Till.new.total([{ cents: 100, n: 3 }]) == 300 },
  'too little money' => -> { Till.new.change(3, 4) == :more },
  'an empty basket' => -> { Till.new.total([]) == 0 },
}
sad = CHECKS.count do |name, check|
  good = check.call
  puts "#{good ? '😀' : '😡'} #{name}"
  puts "   #{check.source_location.join(':')} is not true" unless good
  !good
rescue => e
  puts "😡 #{name}", "   #{e.message} (#{e.class})", *e.backtrace.first(2).map { |l| "   | #{l}" }
  true
end
puts '', "happy: #{CHECKS.size - sad}, angry: #{sad}"
exit sad == 0
