package shop

import (
	"fmt"
	"testing"
)

func TestTotal(t *testing.T) {
	t.Logf("starting with error=%v", nil)
	if got := Total([]Item{{2, 3}}); got != 6 {
		t.Errorf("Total() = %d, want %d", got, 6)
	}
	if got := Total([]Item{{5, 5}}); got != 25 {
		t.Errorf("Total() = %d, want %d", got, 25)
	}
}

func TestEmpty(t *testing.T) {
	t.Log("nothing to see")
}

func TestSkip(t *testing.T) { t.Skip("later") }

func ExampleTotal() {
	fmt.Println(Total(nil))
	// Output: 1
}
