function check(name, want, have) {
  if (want == have) { print "o " name; good++ } else { print "X " name; print "  want " want; print "  have " have; bad++ }
}
BEGIN {
  check("none is none", 0, heat(0))
  check("ten minutes", 100, heat(10))
  printf "%d good, %d bad\n", good, bad
  exit bad > 0
}
