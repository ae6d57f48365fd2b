// Command check prints a tree of checks.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"example.org/light/light"
)

type node struct {
	name string
	run  func() string
	kids []node
}

var bad int

func walk(n node, indent string) {
	if n.run == nil {
		fmt.Printf("%s▾ %s\n", indent, n.name)
		for _, k := range n.kids {
			walk(k, indent+"   ")
		}
		return
	}
	defer func() {
		if r := recover(); r != nil {
			bad++
			fmt.Printf("%s● %s !! %v\n", indent, n.name, r)
			for _, l := range strings.Split(string(debug.Stack()), "\n") {
				if strings.Contains(l, "/light/light.go") {
					fmt.Printf("%s     %s\n", indent, strings.TrimSpace(l))
				}
			}
		}
	}()
	if why := n.run(); why != "" {
		bad++
		fmt.Printf("%s● %s !! %s\n", indent, n.name, why)
		return
	}
	fmt.Printf("%s○ %s\n", indent, n.name)
}

func want[T comparable](got, want T) string {
	if got != want {
		return fmt.Sprintf("got %v, want %v", got, want)
	}
	return ""
}

func main() {
	walk(node{name: "lighthouse", kids: []node{
		{name: "lamp", kids: []node{
			{name: "reaches 15 miles", run: func() string { return want(light.Range(25), 15) }},
			{name: "flashes 12 times", run: func() string { return want(light.Flashes(60, 5), 12) }},
		}},
		{name: "sectors", kids: []node{
			{name: "red in the east", run: func() string { return want(light.Colour(45), "red") }},
			{name: "dark in the north", run: func() string { return want(light.Colour(300), "dark") }},
		}},
	}}, "")
	if bad > 0 {
		fmt.Println(bad, "leaves are red")
		os.Exit(1)
	}
}
