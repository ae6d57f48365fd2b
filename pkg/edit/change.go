package edit

import (
	"errors"
	"io/fs"
)

// Op is what a change does to a file.
type Op string

// The four things a change can do.
const (
	Create Op = "create"
	Modify Op = "modify"
	Delete Op = "delete"
	Rename Op = "rename"
)

// Change is one file's part of a proposal, resolved against the file as it
// stands: the exact bytes before and after. Nothing has been written yet.
type Change struct {
	Op Op
	// Path is the file's path after the change (before it, for Delete):
	// relative to the root, with forward slashes, cleaned.
	Path string
	// From is the old path of a Rename, else empty.
	From string
	// Old are the bytes before, nil for Create; New those after, nil for Delete.
	Old, New []byte
	// Mode are the permission bits after the change: those of the old file, or
	// 0 for a new file, which leaves the choice to the writer (0o644).
	Mode fs.FileMode
}

// Problem is a part of a reply that cannot be applied, told so that its author
// can mend it.
type Problem struct {
	// Path is the file concerned, "" where the part names none.
	Path string
	// Reason is a sentence for the author of the reply: what is wrong, and for a
	// search block that was not found, what the nearest text is.
	Reason string
	// Kind says what follows from the problem; "" that nothing of the reply should be applied.
	Kind ProblemKind
}

// ProblemKind tells problems apart by what follows from them.
type ProblemKind string

// Protected marks a part that was dropped because of where its path leads, out
// of the root. The rest of the reply is sound and may be applied without it.
const Protected ProblemKind = "protected"

// NoEdit marks the one problem of a reply without anything that looks like an
// edit: its author may have meant that there is nothing to do.
const NoEdit ProblemKind = "none"

// problemOf is an error of one part, told to the author of the reply.
func problemOf(p string, err error) Problem {
	out := Problem{Path: p, Reason: err.Error()}
	if errors.Is(err, ErrOutside) {
		out.Kind = Protected
	}
	return out
}
