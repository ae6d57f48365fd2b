require_relative "../lib/q"
RSpec.describe Q do
  it("n") { expect(subject.n).to eq(1) }
end
