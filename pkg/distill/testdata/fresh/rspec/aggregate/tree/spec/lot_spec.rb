require_relative "../lib/lot"
RSpec.describe Lot do
  it "has a price and a tax", :aggregate_failures do
    expect(subject.price).to eq(5)
    expect(subject.tax).to eq(1)
  end
  it("is") { expect(subject).to be_a(Lot) }
end
