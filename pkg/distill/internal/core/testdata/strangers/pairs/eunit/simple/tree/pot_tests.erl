-module(pot_tests).
-include_lib("eunit/include/eunit.hrl").
warm_test() ->
    ?assertEqual(15, pot:warm(5)).
zero_test() -> ?assert(true).
