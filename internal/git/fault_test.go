package git

import (
	"errors"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
)

func TestGitThatCannotWrite(t *testing.T) {
	for said, want := range map[string]fault.Kind{
		"fatal: unable to write new index file":                                         fault.Environment,
		"error: unable to write file src/a.go":                                          fault.Environment,
		"error: unable to create temporary file: Read-only file system":                 fault.Refused,
		"fatal: write error: No space left on device":                                   fault.Environment,
		"error: insufficient permission for adding an object: Permission denied":        fault.Refused,
		"fatal: bad object 3f786850e387550fdab836ed7e6dc881de23001b":                    fault.Git,
		"error: unable to write file .git/objects/aa/bb: No space left on device\nmore": fault.Environment,
	} {
		if got := fault.KindOf(Classify("x", &Error{Stderr: said, Err: errors.New("exit status 128")})); got != want {
			t.Errorf("%q: got kind %v, want %v", said, got, want)
		}
	}
}

func TestPushFault(t *testing.T) {
	for said, want := range map[string]error{
		"GH013: Repository rule violations found for refs/heads/x.\n- Commits must have verified signatures.": ErrUnsigned,
		"GH013: Repository rule violations found.\n- Push cannot contain secrets":                             ErrRules,
		"GH013: Repository rule violations found.\n- Changes must be made through a pull request.":            ErrProtected,
		"fatal: Authentication failed for 'https://example.com/x'":                                            ErrAuth,
		"fatal: unable to access 'https://example.com/x': Could not resolve host: example.com":                ErrNetwork,
		"git: 'lfs' is not a git command. See 'git --help'.":                                                  ErrLFS,
		" ! [rejected] main -> main (fetch first)":                                                            ErrNonFastForward,
		"remote: nope\n ! [remote rejected] main (pre-receive hook declined)":                                 ErrHook,
	} {
		err := PushFault("main", "origin", &Error{Stderr: said, Err: errors.New("exit status 1")})
		if !errors.Is(err, want) || fault.KindOf(err) != fault.Git || fault.HintOf(err) == "" {
			t.Errorf("%q: got %v, want %v", said, err, want)
		}
	}
}
