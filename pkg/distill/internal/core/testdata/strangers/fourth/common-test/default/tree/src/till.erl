-module(till).
-export([total/1, change/2]).
total(L) -> lists:sum([C || {C, _} <- L]).
change(P, D) when P >= D -> P - D.
