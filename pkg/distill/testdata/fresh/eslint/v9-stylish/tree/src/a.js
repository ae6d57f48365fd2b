const a = 1;
foo();
