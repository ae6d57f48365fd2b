let bad = ref 0;;
let check name want have =
  if want = have then Printf.printf "%s: passed\n" name
  else (incr bad; Printf.printf "%s: FAILED (expected %d, got %d)\n" name want have);;
check "none is none" 0 (heat 0);;
check "ten minutes" 100 (heat 10);;
Printf.printf "%d test(s) failed\n" !bad;;
exit !bad;;
