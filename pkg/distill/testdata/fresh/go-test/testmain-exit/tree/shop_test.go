package shop

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	fmt.Println("setup: cannot open database")
	os.Exit(3)
}
