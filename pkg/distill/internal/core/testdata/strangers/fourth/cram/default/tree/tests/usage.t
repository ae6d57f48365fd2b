  $ "$TESTDIR"/../bin/greet Bo | wc -l
  1
