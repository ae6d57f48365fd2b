package w

import "testing"

func TestTurn(t *testing.T) {
	if Turn(2) != 4 {
		t.Errorf("Turn(2) = %d, want 4", Turn(2))
	}
}
