@test "one" { true; }
@test "two waits" { sleep 20; }
