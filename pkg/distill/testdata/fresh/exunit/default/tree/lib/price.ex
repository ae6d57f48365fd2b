defmodule Price do
  def total(items), do: Enum.sum(Enum.map(items, & &1.price))

  def label(user) do
    String.upcase(user.name)
  end
end
