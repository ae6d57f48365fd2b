package checkout

// FileChange is one file before and after a change, with what the model itself did
// earlier in the run left out of "before".
type FileChange struct {
	Path           string
	Before, After  []byte
	Existed, Stays bool
	// From and Origin are the path and the text that it was renamed from.
	From   string
	Origin []byte
}
