A name is greeted with a comma:

  $ "$TESTDIR"/../bin/greet Ann
  Hello, Ann

Nobody is asked:

  $ "$TESTDIR"/../bin/greet
  who are you?
  [2]
