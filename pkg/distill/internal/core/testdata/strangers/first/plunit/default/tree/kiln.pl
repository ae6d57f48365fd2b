:- module(kiln, [heat/2]).
heat(M, H) :- H is M * 9.
