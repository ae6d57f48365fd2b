package a

import "testing"

func TestSum(t *testing.T) {
	if Sum(1, 2) != 3 {
		t.Errorf("bad %d", "x")
	}
}
