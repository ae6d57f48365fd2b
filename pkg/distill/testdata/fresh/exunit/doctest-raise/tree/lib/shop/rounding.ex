defmodule Shop.Rounding do
  @doc """
  Rounds.

      iex> Shop.Rounding.cents(7.5)
      8

  """
  def cents(x), do: trunc(x)
end
