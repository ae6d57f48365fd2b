package main

import (
	"fmt"
	"os"

	"pottery/kiln"
)

func main() {
	bad := 0
	for _, c := range []struct {
		name    string
		m, want int
	}{{"none is none", 0, 0}, {"ten minutes", 10, 100}, {"an hour", 60, 540}} {
		if have := kiln.Heat(c.m); have != c.want {
			bad++
			fmt.Printf("✘ %s — heat(%d) is %d, not %d\n", c.name, c.m, have, c.want)
			continue
		}
		fmt.Printf("✔ %s\n", c.name)
	}
	fmt.Printf("\nfailed: %d\npassed: %d\n", bad, 3-bad)
	os.Exit(bad)
}
