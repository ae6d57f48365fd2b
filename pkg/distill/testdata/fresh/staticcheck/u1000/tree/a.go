package shop

import "fmt"

func unused() {}

func F(x int) {
	x = 1
	fmt.Printf("%d\n")
}
