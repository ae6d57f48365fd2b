:- use_module(library(plunit)).
:- use_module('../kiln').
:- begin_tests(kiln).
test(none, H == 0) :- heat(0, H).
test(ten_minutes, H == 100) :- heat(10, H).
:- end_tests(kiln).
