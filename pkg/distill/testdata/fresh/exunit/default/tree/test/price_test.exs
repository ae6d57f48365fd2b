defmodule PriceTest do
  use ExUnit.Case

  test "adds quantities" do
    assert Price.total([%{price: 2, qty: 3}]) == 6
  end

  describe "label" do
    test "is ANON without a user" do
      assert Price.label(nil) == "ANON"
    end
  end

  test "empty" do
    assert Price.total([]) == 0
  end

  @tag :skip
  test "later" do
  end

  test "raises" do
    assert_raise ArgumentError, fn -> Price.total([]) end
  end
end
