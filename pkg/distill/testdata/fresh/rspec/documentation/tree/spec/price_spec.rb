require "price"

RSpec.describe Price do
  it "adds quantities" do
    expect(subject.total([{ price: 2, qty: 3 }])).to eq(6)
  end

  describe "#label" do
    it "is ANON without a user" do
      expect(subject.label(nil)).to eq("ANON")
    end
  end

  it "is zero when empty" do
    expect(subject.total([])).to eq(0)
  end

  xit "later" do
  end

  it "has many" do
    aggregate_failures do
      expect(1).to eq(2)
      expect([1, 2]).to include(3)
    end
  end
end
