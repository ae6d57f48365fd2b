require ../kiln.fs
variable bad
: check ( want have addr u -- )
  type 2dup = if ."  ... pass" 2drop else ."  ... FAIL: wanted " swap . ." but have " . 1 bad +! then cr ;
0 0 heat s" none is none" check
100 10 heat s" ten minutes" check
bad @ . ." failed" cr
bad @ 0<> 1 and (bye)
