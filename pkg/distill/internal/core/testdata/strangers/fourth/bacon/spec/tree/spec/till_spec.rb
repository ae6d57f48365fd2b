require 'till'

describe 'A till' do
  before { @till = Till.new }

  it 'adds quantities' do
    @till.total([{ cents: 100, n: 3 }]).should.equal 300
  end

  it 'gives change' do
    @till.change(10, 4).should.equal 6
  end

  describe 'with too little money' do
    it 'asks for more' do
      @till.change(3, 4).should.equal :more
    end
  end
end
