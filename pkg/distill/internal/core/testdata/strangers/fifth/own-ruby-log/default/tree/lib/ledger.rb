class Ledger
  attr_reader :entries

  def initialize = @entries = []

  def book(cents, text) = @entries << [cents, text]

  def balance = @entries.sum(&:first)

  def report
    @entries.map { |c, t| format("%-8s%5.2f", t, c / 100) }.join("\n")
  end

  def last = @entries.last.fetch(1)
end
