package duration

import "testing"

func TestSeconds(t *testing.T) {
	cases := []struct {
		text string
		want int
	}{
		{"90s", 90},
		{"1h 30m", 5400},
		{"2d", 172800},
		{"1w 1d", 691200},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			got, err := Seconds(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("Seconds(%q) = %d, want %d", c.text, got, c.want)
			}
		})
	}
}
