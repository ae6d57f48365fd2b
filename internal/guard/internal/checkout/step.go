package checkout

// FileChange is one file before and after a change. "Before" leaves out what the model
// itself did earlier in the run.
type FileChange struct {
	Path           string
	Before, After  []byte
	Existed, Stays bool
	// From and Origin are the path and text before a rename.
	From   string
	Origin []byte
}
