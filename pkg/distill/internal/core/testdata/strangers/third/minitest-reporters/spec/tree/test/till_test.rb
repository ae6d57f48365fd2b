require 'minitest/autorun'
require 'minitest/reporters'
Minitest::Reporters.use! Minitest::Reporters::SpecReporter.new
require 'till'

class TillTest < Minitest::Test
  def test_adds_quantities
    assert_equal 300, Till.new.total([{ cents: 100, n: 3 }])
  end

  def test_gives_change
    assert_equal 6, Till.new.change(10, 4)
  end

  def test_asks_for_more
    assert_equal :more, Till.new.change(3, 4)
  end

  def test_later
    skip 'not today'
  end
end
