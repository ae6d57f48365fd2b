package cart

import "testing"

func FuzzTotal(f *testing.F) {
	f.Add(1.0)
	f.Fuzz(func(t *testing.T, p float64) {
		if got := new(Cart).Add(p, 1).Total(); float64(got) < p {
			t.Errorf("total %d is less than %v", got, p)
		}
	})
}

func BenchmarkTotal(b *testing.B) {
	if new(Cart).Add(7.5, 1).Total() != 8 {
		b.Fatal("wrong total in benchmark")
	}
}

func ExampleCart() {
	println(1)
	// Output: 8
}
