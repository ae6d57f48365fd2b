// Package checkout holds facts: the files as they stood, the change of one of them,
// and what the checks name. It judges nothing.
package checkout

// Files is what the rules may ask about the files as they stood.
type Files struct {
	Tree
	// Commands are what the checks run.
	Commands []string
	// Own tells a file that the model itself made in this run.
	Own func(path string) bool
	// Base returns a file as it stood before the run; nil if what stands is all that is known.
	Base func(path string) (content []byte, existed bool)
}

// stood reports whether something held of a file before the run: of one that the model
// made itself, nothing did. now is what it holds at present.
func (c *Files) stood(p string, now []byte, holds func([]byte) bool) bool {
	if !holds(now) || c.Own(p) {
		return false
	}
	if c.Base == nil {
		return true
	}
	text, existed := c.Base(p)
	return !existed || holds(text)
}
