package guard

import (
	"regexp"
	"sync"
)

// lazy compiles a regular expression when it is first needed.
//
// Inlined, each expression would bring its own copy of the closures: 0.15 MB of
// the program.
//
//go:noinline
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
