package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// hasPlace tells whether one of the frames is in a file.
func hasPlace(root *tree.Tree, frames []core.Frame, file string) bool {
	want, _ := root.Resolve(file, "")
	for _, fr := range frames {
		if rel, ok := root.Resolve(fr.File, ""); ok && rel == want {
			return true
		}
	}
	return false
}

// jsErrorHead tells the first line of an error as JavaScript prints it.
func jsErrorHead(s string) bool {
	t := strings.TrimSpace(s)
	i := strings.Index(t, ":")
	name := t
	if i > 0 {
		name = t[:i]
	}
	if j := strings.IndexByte(name, ' '); j > 0 &&
		strings.HasPrefix(name[j:], " [") { // AssertionError [ERR_ASSERTION]
		name = name[:j]
	}
	name = strings.TrimPrefix(name, "Uncaught ")
	return (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) &&
		!strings.ContainsAny(name, " \t/(") && i > 0
}
