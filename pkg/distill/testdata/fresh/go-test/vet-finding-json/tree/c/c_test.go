package c_test

import (
	"example.com/vet/b"
	"fmt"
	"testing"
)

func TestC(t *testing.T) {
	fmt.Printf("%s", b.B())
}

func TestC2(t *testing.T) {
	fmt.Printf("%s", b.B())
	fmt.Sprint("x")
}
