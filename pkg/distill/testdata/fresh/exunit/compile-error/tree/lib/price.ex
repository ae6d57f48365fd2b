defmodule Price do
  def total(items), do: sum(items)
  def x, do: undefined_var
end
