-module(jar_SUITE).
-export([all/0, is_closed/1, fails/1]).
all() -> [is_closed, fails].
is_closed(_) ->
    closed = jar:lid().
fails(_) -> ct:fail("the jar is open").
