-module(a).
-export([f/1]).

f(X) -> g(X) + Y.
