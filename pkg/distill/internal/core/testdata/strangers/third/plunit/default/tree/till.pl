:- module(till, [total/2, change/3]).
total([], 0).
total([C-_|T], S) :- total(T, S0), S is S0 + C.
change(P, D, _) :- P < D, !, throw(paid_too_little(P)).
change(P, D, C) :- C is P - D.
