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
}
