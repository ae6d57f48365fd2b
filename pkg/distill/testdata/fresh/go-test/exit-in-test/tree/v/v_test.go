package v

import "testing"

func TestV(t *testing.T) {}
