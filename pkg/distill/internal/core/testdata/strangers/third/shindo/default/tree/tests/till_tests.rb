require './lib/till'

Shindo.tests('till') do
  tests('totals') do
    returns(300, 'of three items') { Till.new.total([{ cents: 100, n: 3 }]) }
    returns(0, 'of none') { Till.new.total([]) }
  end
  tests('change') do
    returns(6, 'of ten') { Till.new.change(10, 4) }
  end
end
