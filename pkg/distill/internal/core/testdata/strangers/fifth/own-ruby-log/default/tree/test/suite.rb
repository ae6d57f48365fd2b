require_relative "../lib/ledger"
require "logger"

$log = Logger.new($stdout, formatter: ->(sev, at, _, msg) { "[#{at.strftime("%H:%M:%S")}] #{sev.ljust(5)} #{msg}\n" })
$counts = Hash.new(0)

def scenario(name)
  yield
  $counts[:passed] += 1
  $log.info "PASSED #{name}"
rescue StandardError => e
  $counts[:failed] += 1
  $log.error "FAILED #{name}"
  $log.error "  #{e.class}: #{e.message}"
  $log.error "  at #{e.backtrace.reject { _1.include?("`scenario'") }.first}"
end

def expect(want, have) = want == have || raise("expected #{want.inspect} but got #{have.inspect}", cause: nil)

scenario "balance sums entries" do
  l = Ledger.new
  l.book(250, "tea")
  l.book(-100, "cup")
  expect(150, l.balance)
end
scenario "report shows cents" do
  l = Ledger.new
  l.book(250, "tea")
  expect("tea      2.50", l.report)
end
scenario "last of an empty ledger is nil" do
  expect(nil, Ledger.new.last)
end
scenario "empty ledger balances" do
  expect(0, Ledger.new.balance)
end
$log.info "#{$counts[:passed]} scenarios passed, #{$counts[:failed]} failed"
exit 1 if $counts[:failed] > 0
