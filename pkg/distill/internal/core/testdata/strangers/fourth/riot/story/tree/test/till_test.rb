require 'riot'
require 'till'

context 'A till' do
  setup { Till.new }
  asserts('the sum of three items') { topic.total([{ cents: 100, n: 3 }]) }.equals(300)
  asserts('the change of ten') { topic.change(10, 4) }.equals(6)
  context 'with too little' do
    asserts('that more is asked for') { topic.change(3, 4) }.equals(:more)
  end
end
