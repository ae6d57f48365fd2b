package b

import (
	"testing"

	"example.com/yard/a"
)

func TestB(t *testing.T) { a.A() }
