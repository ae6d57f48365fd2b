require_relative "../lib/till"

RSpec.describe Till do
  it "adds prices up" do
    expect(subject.total([2, 3])).to eq 5
  end

  context "with money in it" do
    it "gives change" do
      expect(subject.change(10, 7)).to eq 3
    end

    it "gives none for the exact sum" do
      expect(subject.change(7, 7)).to eq 0
    end
  end
end
