package w

import (
	"fmt"
	"os"
)

func Turn(n int) int {
	fmt.Println("w: the shaft broke")
	os.Exit(3)
	return n
}
