package main

import (
	"fmt"
	"os"
)

func main() {
	results := map[bool]string{true: "PASSED", false: "BROKEN"}
	run := func(name string, f func() bool) {
		fmt.Printf("%s -- ", name)
		fmt.Println(results[f()])
	}
	run("nothing", func() bool { return total(nil, nil) == 0 })
	run("three of a kind", func() bool { return total([]int{100}, []int{3}) == 300 })
	run("no label", func() bool { return label(nil) == "" })
	os.Exit(1)
}
