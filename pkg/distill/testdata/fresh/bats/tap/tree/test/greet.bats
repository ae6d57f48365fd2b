@test "greets by name" {
  run bin/greet.sh Ann
  [ "$output" = "Hello, Ann!" ]
}

@test "fails without a name" {
  run bin/greet.sh
  [ "$status" -ne 0 ]
}

@test "exists" {
  [ -f bin/greet.sh ]
}

@test "later" {
  skip "not yet"
}
