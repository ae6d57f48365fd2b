package c

import "testing"

func TestC(t *testing.T) {
	t.Error("c is off by two")
}
