package edit

import "io/fs"

// Kind is the form in which a reply states an edit.
type Kind string

// The kinds of edits.
const (
	// Whole gives a file's complete new content.
	Whole Kind = "whole"
	// Replace gives search and replace blocks.
	Replace Kind = "replace"
	// Diff gives the hunks of a unified diff.
	Diff Kind = "diff"
	// Patch gives the hunks of a *** Begin Patch envelope.
	Patch Kind = "patch"
	// Remove deletes a file.
	Remove Kind = "delete"
	// Move gives a file another path and leaves its content alone.
	Move Kind = "rename"
)

// Edit is one wish of a reply, for one file, as the reply states it: nothing
// has been looked up in a file system, and the path has not been judged.
type Edit struct {
	Kind Kind
	// Path is the file's path as the reply gives it, but for a leading "./"
	// and the a/ and b/ of diffs. It may be absolute or lead upwards: whoever
	// applies edits has to refuse what should not be touched.
	Path string
	// From is the old path where the edit also moves the file, else empty.
	From string
	// Content is the new content of a Whole edit, with LF line ends.
	Content string
	// Blocks are the parts of a Replace, Diff or Patch edit, in order.
	Blocks []Block
	// New says that the reply takes the file to be absent: it is refused where
	// a file with content stands in the way.
	New bool
	// Mode are permission bits that the reply asks for, 0 where it does not.
	Mode fs.FileMode
	// Line is the line of the reply, from 1, at which the edit begins.
	Line int
	// Tentative says that Path may as well be a word of the text: a single one
	// that is no path by its looks, or one behind "Delete". [Resolve] knows: it
	// is one where such a file is there.
	Tentative bool

	// surety, lang and instead serve to settle a tentative edit: how the word is
	// set, the language of its fence, and the path that counts if it is none.
	surety  surety
	lang    string
	instead string
	// lead is a first line of a fence that named the path: it belongs to the
	// file only if the old file begins with it.
	lead string
	// loose says that other text stood between the path and the content.
	loose bool
	// part says that the path names a range of lines: the content is only theirs.
	part bool
	// open says that the fence around the content was not closed.
	open bool
	// wished says that a line not in capitals deletes the file.
	wished bool
}

// Block replaces one run of lines by another.
type Block struct {
	// Search are the lines to be found and Replace those to stand in their
	// place, each ending in LF. An empty Search adds: to a new or empty file,
	// or, in a Patch, at the end or after the last anchor.
	Search, Replace string
	// Near is the line of the old file, from 1, at which the reply believes
	// the block to be; 0 if it does not say. It only decides between places
	// that match equally.
	Near int
	// Anchors are lines that stand somewhere before the block, in order.
	Anchors []string
	// AtEnd says that the block ends with the file.
	AtEnd bool
	// Line is the line of the reply, from 1, at which the block begins.
	Line int

	// tellsEnd says that a hunk speaks of a missing newline at the end of the
	// file, and newBare that it is to be missing afterwards.
	tellsEnd, newBare bool
	// divided says that a line of equals signs parts the block. Where marks or
	// names part it, such a line is content.
	divided bool
	// others are further ways to cut the block in two, where its text holds
	// more than one line that could be the divider.
	others []cut
}

// cut is one way to divide a block.
type cut struct{ search, replace string }

// Reply is what a model's text says.
type Reply struct {
	// Summary is the text of the "Summary:" line, or empty.
	Summary string
	// Edits are in the order of the reply.
	Edits []Edit
	// Problems are the parts that could not be understood.
	Problems []Problem
	// Truncated says that the text ends inside a fence, a block, an envelope
	// or reasoning. The last edit may be half of what was meant, so [Resolve]
	// refuses such a reply; the way on is to let the model continue.
	Truncated bool

	// otherwise is told where no tentative edit turns out to be one.
	otherwise []Problem
	// mentions are sentences that may introduce the content of a file, deeds
	// what a sentence or a command does to one.
	mentions []mention
	deeds    []deed
	// cut says what is not ended in a truncated reply.
	cut string
}
