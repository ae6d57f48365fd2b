require_relative "../lib/light"

cases = [
  ["range of a low tower", 15, -> { Light.range(25) }],
  ["flashes in a minute", 12, -> { Light.flashes(60, 5) }],
  ["red sector", "red", -> { Light.colour(45) }],
  ["white sector", "white", -> { Light.colour(200) }],
]
puts "# Lighthouse checks", "", "| Check | Result | Note |", "|---|---|---|"
bad = cases.count do |name, want, run|
  got = begin
    run.call
  rescue => e
    "#{e.class}: #{e.message}"
  end
  ok = got == want
  puts "| #{name} | #{ok ? "🟢 ok" : "🔴 broken"} | #{ok ? "" : "`#{got}` instead of `#{want}`"} |"
  !ok
end
puts "", "**#{bad} of #{cases.size} checks are broken.**"
exit bad == 0
