defmodule Shop.CartTest do
  use ExUnit.Case, async: true
  doctest Shop.Rounding

  setup do
    {:ok, conn: connect()}
  end

  defp connect, do: raise("no database")

  test "uses it", %{conn: conn} do
    assert conn
  end
end
