require test/ttester.fs
include till.fs
." Testing TOTAL" cr
T{ 100 3 total -> 300 }T
." Testing CHANGE" cr
T{ 10 4 change -> 6 }T
