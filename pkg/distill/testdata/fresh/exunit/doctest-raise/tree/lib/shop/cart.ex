defmodule Shop.Cart do
  alias Shop.Rounding

  def total(items) do
    items |> Enum.map(fn {p, q} -> p * q end) |> Enum.sum() |> Rounding.cents()
  end

  def first([item | _]), do: String.upcase(item.name)
end
