// A small program on the same command library, to measure start-up against.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "small", Short: "A small program"}
	root.AddCommand(&cobra.Command{Use: "hello", Short: "Say hello", Run: func(*cobra.Command, []string) { fmt.Println("hello") }})
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
}
