package guard

import (
	"regexp"
	"sync"
)

// lazy compiles a regular expression when it is first needed.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
