:- use_module(library(plunit)).
:- use_module('../till').
:- begin_tests(till).
test(gives_change, C =:= 6) :- change(10, 4, C).
test(adds_quantities, S =:= 300) :- total([100-3], S).
test(asks_for_more) :- change(3, 4, _).
test(nothing, S == 0) :- total([], S).
:- end_tests(till).
