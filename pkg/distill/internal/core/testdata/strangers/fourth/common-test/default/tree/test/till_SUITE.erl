-module(till_SUITE).
-export([all/0, adds_quantities/1, gives_change/1, asks_for_more/1]).
all() -> [adds_quantities, gives_change, asks_for_more].
adds_quantities(_) -> 300 = till:total([{100, 3}]).
gives_change(_) -> 6 = till:change(10, 4).
asks_for_more(_) ->
    {error, _} = till:change(3, 4).
