require 'shop/cart'
require 'shop/label'

RSpec.describe Shop::Cart do
  it 'is free when empty' do
    expect(described_class.new.total).to eq(0)
  end

  context 'with half cents' do
    it 'rounds up' do
      cart = described_class.new.add('tea', 2.5, 3)
      expect(cart.total).to eq(8)
    end
  end

  xit 'handles refunds' do
    expect(1).to eq(2)
  end

  describe 'label' do
    it 'calls nobody anonymous' do
      expect(Shop.label(name: nil)).to eq('anonymous')
    end
  end
end
