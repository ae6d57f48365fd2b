setup() {
  ROOT="$BATS_TEST_DIRNAME/../.."
}

@test "whole numbers" {
  run "$ROOT/bin/total" 2
  [ "$output" = 2 ]
}

@test "rounds half cents up" {
  run "$ROOT/bin/total" 7.5
  echo "got: $output"
  [ "$status" -eq 0 ]
  [ "$output" = 8 ]
}

@test "refunds" {
  skip later
}
