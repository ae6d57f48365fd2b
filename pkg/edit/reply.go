package edit

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Op is the operation of an edit or a change.
type Op string

// The operations. A [Change] never has [Write]: it is [Create] or [Modify] by then.
const (
	// Write sets a file's whole content, whether the file exists or not.
	Write Op = "write"
	// Create does so for a file that must not exist yet.
	Create Op = "create"
	// Modify replaces parts of a file.
	Modify Op = "modify"
	// Delete removes a file.
	Delete Op = "delete"
	// Rename moves a file, and may change it too.
	Rename Op = "rename"
)

// Edit is one edit of one file, as the reply states it. All forms of a reply become this
// record.
type Edit struct {
	Op Op
	// Path is the file's path as in the reply, without a leading "./" and the a/ and b/ of
	// diffs. It may be absolute or lead upwards.
	Path string
	// From is the old path of a renamed file, else empty.
	From string `json:",omitempty"`
	// Content is the new content of Write and Create, with LF line ends.
	Content string `json:",omitempty"`
	// Blocks are the parts of Modify, in order.
	Blocks []Block `json:",omitempty"`
	// Ordered reports whether the blocks come in the order of the file, as hunks do.
	Ordered bool `json:",omitempty"`
	// Mode are permission bits that the reply asks for, or 0.
	Mode fs.FileMode `json:",omitempty"`
	// Line is the first line of the edit in the reply, from 1.
	Line int
}

// Block replaces one run of lines by another.
type Block struct {
	// Search are the lines to find and Replace those to put in their place, each ending in
	// LF. An empty Search adds: to a new or empty file, or, with Anchors or AtEnd, after
	// the last anchor or at the end.
	Search, Replace string
	// Near is the line of the old file, from 1, where the reply expects the block; 0 if it
	// does not say. It only decides between equal places.
	Near int `json:",omitempty"`
	// Anchors are lines somewhere before the block, in order.
	Anchors []string `json:",omitempty"`
	// AtEnd reports whether the block ends with the file.
	AtEnd bool `json:",omitempty"`
	// FinalNewline is what a hunk says about the end of the file.
	FinalNewline FinalNewline `json:",omitempty"`
	// Line is the first line of the block in the reply, from 1.
	Line int
}

// FinalNewline reports whether a file ends with a newline after a block.
type FinalNewline string

// The values of [FinalNewline]; "" leaves the end of the file as it is.
const (
	WithNewline    FinalNewline = "with"
	WithoutNewline FinalNewline = "without"
)

// Fence is fenced text that became no edit. Most fences explain; [Resolve] reports those
// that seem to be edits with a missing path.
type Fence struct {
	// Line is the line of the reply where it opens, Above the text over it.
	Line  int
	Above string `json:",omitempty"`
	// Path is from a path line over the text above; Paths are those named in the text
	// above, Lang is the fence's language.
	Path  string   `json:",omitempty"`
	Paths []string `json:",omitempty"`
	Lang  string   `json:",omitempty"`
	Text  string
}

// Mention is a sentence or a shell command that changes a file. It is not carried out;
// [Resolve] reports it unless an edit does the same.
type Mention struct {
	Path, Text string
	Line       int
}

// Reply is a parsed reply. It survives a round trip through JSON.
type Reply struct {
	// Summary is the text of the "Summary:" line, or empty.
	Summary string `json:",omitempty"`
	// Edits are in the order of the reply.
	Edits []Edit `json:",omitempty"`
	// Problems are the parts that could not be understood.
	Problems []Problem `json:",omitempty"`
	// Fences and Mentions may be edits in the wrong form.
	Fences   []Fence   `json:",omitempty"`
	Mentions []Mention `json:",omitempty"`
	// Truncated reports whether the text ends inside a fence, a block, an envelope or
	// reasoning; Cut says in which. The last edit may be incomplete, so [Resolve] refuses
	// such a reply; let the model continue.
	Truncated bool   `json:",omitempty"`
	Cut       string `json:",omitempty"`
}

// Sound returns the edits that no problem of [Resolve] concerns. They can be kept while the
// others are requested again; see [Merge]. A truncated reply has none.
func (r Reply) Sound(problems []Problem) []Edit {
	if r.Truncated {
		return nil
	}
	var out []Edit
	for _, e := range r.Edits {
		whole := true
		for _, p := range problems {
			if p.Path == "" || !mayBeSame(p.Path, e.Path) && !mayBeSame(p.Path, e.From) {
				continue
			}
			if len(p.Lines) == 0 || len(e.Blocks) == 0 {
				whole = false
				break
			}
			e.Blocks = slices.DeleteFunc(slices.Clone(e.Blocks),
				func(b Block) bool { return slices.Contains(p.Lines, b.Line) })
		}
		if whole && (len(e.Blocks) > 0 || e.Op != Modify) {
			out = append(out, e)
		}
	}
	return out
}

// mayBeSame reports whether two paths may mean one file: a reply can give an absolute one,
// one with the a/ of diffs, or one in another Unicode form.
func mayBeSame(a, b string) bool {
	a, b = norm.NFC.String(path.Clean(a)), norm.NFC.String(path.Clean(b))
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// Merge puts edits kept from an earlier reply before those of a new one. Edits and whole
// files in the new reply replace earlier ones.
func Merge(kept, edits []Edit) []Edit {
	var out []Edit
	for _, k := range kept {
		gone := false
		for _, e := range edits {
			if e.Path != k.Path && (k.From == "" || e.From != k.From) {
				continue
			}
			gone = gone || e.Op != Modify || k.Op != Modify
			k.Blocks = slices.DeleteFunc(slices.Clone(k.Blocks), func(b Block) bool {
				return slices.ContainsFunc(e.Blocks, func(x Block) bool { return x.Search == b.Search })
			})
		}
		if !gone && (len(k.Blocks) > 0 || k.Op != Modify) {
			out = append(out, k)
		}
	}
	return append(out, edits...)
}
