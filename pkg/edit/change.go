package edit

import (
	"errors"
	"io/fs"
)

// Change is one file's part of a proposal, resolved against the current file: the exact
// bytes before and after. Nothing has been written yet.
type Change struct {
	Op Op
	// Path is the file's path after the change (before it, for Delete):
	// relative to the root, with forward slashes, cleaned.
	Path string
	// From is the old path of a Rename, else empty.
	From string
	// Old are the bytes before, nil for Create; New those after, nil for Delete.
	Old, New []byte
	// Mode are the permission bits after the change: those of the old file, or 0 for a new
	// file, which leaves the choice to the writer (0o644).
	Mode fs.FileMode
}

// Problem is a part of a reply that cannot be applied, described so that its author can fix
// it.
type Problem struct {
	// Path is the file concerned, "" if unknown.
	Path string `json:",omitempty"`
	// Reason is a sentence for the author of the reply: what is wrong, and for a search
	// block that was not found, the block and the nearest text.
	Reason string
	// Kind classifies the problem.
	Kind ProblemKind `json:",omitempty"`
	// Lines identify the blocks concerned, see [Block.Line]. Without any, the problem
	// concerns all edits of the file.
	Lines []int `json:",omitempty"`
}

// ProblemKind classifies problems. With "" nothing of the reply should be applied, but
// [Reply.Sound] edits may be kept.
type ProblemKind string

// Protected marks a part that was dropped because its path is outside the root. The rest of
// the reply may be applied without it.
const Protected ProblemKind = "protected"

// NoEdit marks the only problem of a reply without any edits: its author may mean that
// there is nothing to do.
const NoEdit ProblemKind = "none"

func problemOf(p string, err error) Problem {
	out := Problem{Path: p, Reason: err.Error()}
	if errors.Is(err, ErrOutside) {
		out.Kind = Protected
	}
	var blocks blockErrors
	if errors.As(err, &blocks) {
		out.Lines = blocks.lines
	}
	return out
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Reason
	}
	return p.Path + ": " + p.Reason
}
