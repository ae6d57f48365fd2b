-module(cart_tests).
-include_lib("eunit/include/eunit.hrl").

whole_test() ->
    ?assertEqual(2, rounding:cents(2.0)).

half_test() ->
    ?assertEqual(8, rounding:cents(7.5)).

crash_test() ->
    rounding:cents(atom).
