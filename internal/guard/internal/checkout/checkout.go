// Package checkout holds facts: the files before the run, the change of one of them, and
// what the checks name. It makes no decisions.
package checkout

// Files gives access to the files before the run.
type Files struct {
	Tree
	// Commands are what the checks run.
	Commands []string
	// Own reports whether the model created a file in this run.
	Own func(path string) bool
	// Base returns a file as of before the run; nil if only the current state is known.
	Base func(path string) (content []byte, existed bool)
}

// heldBefore reports whether a property held for a file before the run. It never does for a
// file that the model created. now is the file's current content.
func (c *Files) heldBefore(p string, now []byte, holds func([]byte) bool) bool {
	if !holds(now) || c.Own(p) {
		return false
	}
	if c.Base == nil {
		return true
	}
	text, existed := c.Base(p)
	return !existed || holds(text)
}
