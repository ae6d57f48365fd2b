package edit

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Op is what an edit or a change does to a file.
type Op string

// The operations. A [Change] never has [Write]: it is [Create] or [Modify] by then.
const (
	// Write gives a file's complete content, whether the file exists or not.
	Write Op = "write"
	// Create does so for a file that must not exist yet.
	Create Op = "create"
	// Modify replaces parts of a file.
	Modify Op = "modify"
	// Delete removes a file.
	Delete Op = "delete"
	// Rename gives a file another path, and may change it too.
	Rename Op = "rename"
)

// Edit is one edit of one file, as the reply states it. All forms of a reply
// become this record.
type Edit struct {
	Op Op
	// Path is the file's path as the reply gives it, without a leading "./" and
	// the a/ and b/ of diffs. It may be absolute or lead upwards.
	Path string
	// From is the old path of a file that the edit also moves, else empty.
	From string `json:",omitempty"`
	// Content is the new content of Write and Create, with LF line ends.
	Content string `json:",omitempty"`
	// Blocks are the parts of Modify, in order.
	Blocks []Block `json:",omitempty"`
	// Ordered reports whether the blocks come in the order of the file, as hunks do.
	Ordered bool `json:",omitempty"`
	// Mode are permission bits that the reply asks for, 0 if it does not.
	Mode fs.FileMode `json:",omitempty"`
	// Line is the line of the reply, from 1, at which the edit begins.
	Line int
}

// Block replaces one run of lines by another.
type Block struct {
	// Search are the lines to be found and Replace those to stand in their
	// place, each ending in LF. An empty Search adds: to a new or empty file, or,
	// with Anchors or AtEnd, behind the last anchor or at the end.
	Search, Replace string
	// Near is the line of the old file, from 1, at which the reply believes the
	// block to be; 0 if it does not say. It only decides between equal places.
	Near int `json:",omitempty"`
	// Anchors are lines that stand somewhere before the block, in order.
	Anchors []string `json:",omitempty"`
	// AtEnd reports whether the block ends with the file.
	AtEnd bool `json:",omitempty"`
	// FinalNewline is what a hunk says of the end of the file.
	FinalNewline FinalNewline `json:",omitempty"`
	// Line is the line of the reply, from 1, at which the block begins.
	Line int
}

// FinalNewline reports whether a file ends with a newline after a block.
type FinalNewline string

// The values of [FinalNewline]; "" leaves the end of the file as it is.
const (
	WithNewline    FinalNewline = "with"
	WithoutNewline FinalNewline = "without"
)

// Fence is fenced text that became no edit. Most explain; [Resolve] reports
// those that seem to be edits whose path is missing.
type Fence struct {
	// Line is the line of the reply at which it opens, Above the text over it.
	Line  int
	Above string `json:",omitempty"`
	// Path is that of a path line over the text above; Paths are those that the
	// text above names, Lang is the fence's language.
	Path  string   `json:",omitempty"`
	Paths []string `json:",omitempty"`
	Lang  string   `json:",omitempty"`
	Text  string
}

// Mention is a sentence or a shell command that changes a file. Nobody carries
// it out; [Resolve] reports it where no edit does the same.
type Mention struct {
	Path, Text string
	Line       int
}

// Reply is what a model's text says. It survives a round trip through JSON.
type Reply struct {
	// Summary is the text of the "Summary:" line, or empty.
	Summary string `json:",omitempty"`
	// Edits are in the order of the reply.
	Edits []Edit `json:",omitempty"`
	// Problems are the parts that could not be understood.
	Problems []Problem `json:",omitempty"`
	// Fences and Mentions may be edits that were not given as such.
	Fences   []Fence   `json:",omitempty"`
	Mentions []Mention `json:",omitempty"`
	// Truncated reports whether the text ends inside a fence, a block, an envelope or
	// reasoning, Cut in what. The last edit may be half of what was meant, so
	// [Resolve] refuses such a reply; the way on is to let the model continue.
	Truncated bool   `json:",omitempty"`
	Cut       string `json:",omitempty"`
}

// Sound are the edits that none of the problems of [Resolve] concerns. They can
// be kept while the others are asked for again; see [Merge]. There are none in
// a truncated reply.
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

// mayBeSame reports whether two paths may mean one file: a reply can give one as
// absolute, with the a/ of diffs or in another Unicode form.
func mayBeSame(a, b string) bool {
	a, b = norm.NFC.String(path.Clean(a)), norm.NFC.String(path.Clean(b))
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// Merge puts edits that were kept from an earlier reply before those of a new
// one. What the new reply gives again, or completely, it gives in their place.
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
