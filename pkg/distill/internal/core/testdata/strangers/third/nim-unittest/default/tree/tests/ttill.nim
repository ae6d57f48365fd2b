import unittest
import ../src/till

suite "till":
  test "gives change":
    check change(10, 4) == 6
  test "adds quantities":
    check total(@[(100, 3)]) == 300
  test "asks for more":
    check change(3, 4) == 0
