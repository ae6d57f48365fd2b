@test "greets by name" {
  run bin/greet.sh Ann
  [ "$output" = "Hello, Ann!" ]
}

@test "exists" {
  [ -f bin/greet.sh ]
}
