-module(rounding).
-export([cents/1]).

cents(X) -> trunc(X).
