package shop

import "fmt"

func F(x int) {
	fmt.Printf("%s\n", x)
}
