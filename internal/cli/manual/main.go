// Command manual writes the manual pages, one for each command, into a folder:
//
//	go run ./internal/cli/manual [-version V] [-date RFC3339] DIR
//
// It is for those who make packages, and a program of its own: what writes manual
// pages would be 250 KB of a binary that never does.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/booty-cli/booty/internal/cli"
	"github.com/spf13/cobra/doc"
)

func main() {
	var b cli.Build
	flag.StringVar(&b.Version, "version", "dev", "the version that the pages are of")
	flag.StringVar(&b.Date, "date", "", "when that was made")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: manual [-version V] [-date RFC3339] DIR")
		os.Exit(2)
	}
	if err := write(flag.Arg(0), b); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

// write writes the pages of a build.
func write(dir string, b cli.Build) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	built, err := time.Parse(time.RFC3339, b.Date)
	if err != nil { // not a release
		built = time.Time{}
	}
	h := &doc.GenManHeader{Title: "BOOTY", Section: "1", Source: "booty " + b.Version, Manual: "booty",
		Date: &built}
	return doc.GenManTree(cli.Commands(b), h, dir)
}
