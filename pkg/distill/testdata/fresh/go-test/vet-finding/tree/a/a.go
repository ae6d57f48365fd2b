package a

import "fmt"

func Sum(a, b int) int {
	fmt.Printf("%d\n", "x")
	return a + b
}
