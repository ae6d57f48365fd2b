-module(pot).
-export([warm/1]).
warm(N) -> N + 11.
