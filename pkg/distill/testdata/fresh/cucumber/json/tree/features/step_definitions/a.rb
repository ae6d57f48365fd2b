require_relative "../../lamp"
Given("a lamp") { @l = lamp }
Then("it is on") do
  raise "the lamp is #{@l}" unless @l == :on
end
