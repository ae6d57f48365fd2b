// Command distillcat prints what distill makes of its standard input: the
// text, or with -json the whole report. It serves to try a new format and to
// compare speed with other tools.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/booty-cli/booty/pkg/distill"
)

func main() {
	asJSON := flag.Bool("json", false, "print the report as JSON")
	dir := flag.String("C", "", "the folder in which the command ran")
	exit := flag.Int("exit", -1, "the exit code of the command")
	flag.Parse()
	o := distill.Options{Dir: *dir}
	if *exit >= 0 {
		o.ExitCode = exit
	}
	r, err := distill.Read(context.Background(), os.Stdin, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "distillcat:", err)
		os.Exit(1)
	}
	if *asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		_ = e.Encode(r)
		return
	}
	fmt.Print(r.Text)
}
