-module(jar).
-export([lid/0]).
lid() -> open.
