. ./lib/round.sh

testWhole() {
  assertEquals 2 "$(round 2.0)"
}

testHalf() {
  assertEquals 'half cents go up' 8 "$(round 7.5)"
}

. shunit2
