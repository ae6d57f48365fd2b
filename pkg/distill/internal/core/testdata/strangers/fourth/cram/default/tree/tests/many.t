  $ "$TESTDIR"/../bin/greet Ann Bo
  Hello Ann and Bo
