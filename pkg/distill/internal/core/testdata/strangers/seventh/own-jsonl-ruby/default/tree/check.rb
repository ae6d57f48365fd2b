require "json"
require_relative "lib/till"

CHECKS = {
  "total of two" => -> { [5, Till.total([2, 3])] },
  "total of none" => -> { [0, Till.total([])] },
  "change" => -> { [3, Till.change(10, 7)] },
}

bad = 0
CHECKS.each_with_index do |(name, fn), i|
  row = { id: i + 1, check: name }
  begin
    want, got = fn.call
    row[:outcome] = want == got ? "good" : "bad"
    row[:detail] = "want #{want}, got #{got}" unless want == got
  rescue => e
    row[:outcome] = "bad"
    row[:detail] = "#{e.class}: #{e.message} at #{e.backtrace.first.sub(Dir.pwd + "/", "")}"
  end
  bad += 1 if row[:outcome] == "bad"
  puts JSON.generate(row)
end
puts JSON.generate(done: CHECKS.size, bad: bad)
exit bad.zero?
