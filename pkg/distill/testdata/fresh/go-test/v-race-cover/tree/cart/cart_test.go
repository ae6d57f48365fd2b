package cart

import "testing"

func TestEmpty(t *testing.T) {
	if got := (&Cart{}).Total(); got != 0 {
		t.Fatal(got)
	}
}

func TestTotal(t *testing.T) {
	for _, c := range []struct {
		name string
		p    float64
		want int
	}{{"whole", 2, 2}, {"half cents", 7.5, 8}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := new(Cart).Add(c.p, 1).Total(); got != c.want {
				t.Errorf("total = %d, want %d", got, c.want)
			}
		})
	}
}

func TestLater(t *testing.T) {
	t.Skip("later")
}
