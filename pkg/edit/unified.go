package edit

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Lines counts the lines that the change adds and removes.
func (c Change) Lines() (added, removed int) {
	for _, h := range c.hunks(0) {
		for _, l := range h.Lines {
			switch l.Kind {
			case udiff.Insert:
				added++
			case udiff.Delete:
				removed++
			}
		}
	}
	return added, removed
}

// hunks compares line by line. The library handles strings, and prints a missing final
// newline only as text, so [Unified] does the printing.
func (c Change) hunks(context int) []*udiff.Hunk {
	before := string(c.Old)
	edits := udiff.Lines(before, string(c.New))
	d, err := udiff.ToUnifiedDiff("a", "b", before, edits, context)
	if err != nil {
		// The edits come from the same two texts, so they are consistent.
		return nil
	}
	return d.Hunks
}

// Unified prints changes as git does: a unified diff with headers for created, deleted and
// renamed files. Binary files are only named.
func Unified(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		writeHeader(&b, c)
		switch {
		case string(c.Old) == string(c.New):
		case isBinary(c.Old) || isBinary(c.New):
			from, to := c.labels()
			fmt.Fprintf(&b, "Binary files %s and %s differ\n", from, to)
		default:
			from, to := c.labels()
			// Git ends a name with a space with a tab, so that readers of the diff know its
			// end.
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", tabbed(from), tabbed(to))
			for _, h := range c.hunks(udiff.DefaultContextLines) {
				writeHunk(&b, h)
			}
		}
	}
	return b.String()
}

func writeHeader(b *strings.Builder, c Change) {
	from := c.From
	if from == "" {
		from = c.Path
	}
	fmt.Fprintf(b, "diff --git %s %s\n", quotePath("a/"+from), quotePath("b/"+c.Path))
	switch c.Op {
	case Create:
		fmt.Fprintf(b, "new file mode %s\n", gitMode(c.Mode))
	case Delete:
		fmt.Fprintf(b, "deleted file mode %s\n", gitMode(c.Mode))
	case Rename:
		fmt.Fprintf(b, "similarity index %d%%\nrename from %s\nrename to %s\n", c.similarity(),
			quotePath(c.From),
			quotePath(c.Path))
	}
}

// similarity is the share of kept bytes, in percent.
func (c Change) similarity() int {
	if string(c.Old) == string(c.New) {
		return 100
	}
	kept := len(c.Old)
	for _, h := range c.hunks(0) {
		for _, l := range h.Lines {
			if l.Kind == udiff.Delete {
				kept -= len(l.Content)
			}
		}
	}
	return min(99, max(0, kept)*100/max(len(c.Old), len(c.New), 1))
}

func (c Change) labels() (from, to string) {
	from, to = quotePath("a/"+c.Path), quotePath("b/"+c.Path)
	switch c.Op {
	case Create:
		from = "/dev/null"
	case Delete:
		to = "/dev/null"
	case Rename:
		from = quotePath("a/" + c.From)
	}
	return from, to
}

func gitMode(m fs.FileMode) string {
	if m&0o111 != 0 {
		return "100755"
	}
	return "100644"
}

func tabbed(label string) string {
	if strings.Contains(label, " ") && !strings.HasPrefix(label, `"`) {
		return label + "\t"
	}
	return label
}

// quotePath quotes as git does with core.quotePath off: only control characters, quotes and
// backslashes need it.
func quotePath(p string) string {
	if !strings.ContainsFunc(p, func(r rune) bool { return r < 0x20 || r == 0x7f || r == '"' || r == '\\' }) {
		return p
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(p) {
		switch ch := p[i]; {
		case ch == '"' || ch == '\\':
			b.WriteByte('\\')
			b.WriteByte(ch)
		case ch == '\n':
			b.WriteString(`\n`)
		case ch == '\t':
			b.WriteString(`\t`)
		case ch < 0x20 || ch == 0x7f:
			fmt.Fprintf(&b, `\%03o`, ch)
		default:
			b.WriteByte(ch)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func writeHunk(b *strings.Builder, h *udiff.Hunk) {
	var from, to int
	for _, l := range h.Lines {
		if l.Kind != udiff.Insert {
			from++
		}
		if l.Kind != udiff.Delete {
			to++
		}
	}
	b.WriteString("@@ -" + span(h.FromLine, from) + " +" + span(h.ToLine, to) + " @@\n")
	for _, l := range h.Lines {
		switch l.Kind {
		case udiff.Insert:
			b.WriteByte('+')
		case udiff.Delete:
			b.WriteByte('-')
		default:
			b.WriteByte(' ')
		}
		b.WriteString(l.Content)
		if !strings.HasSuffix(l.Content, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// span is a hunk's place; an empty one is named by the line before it.
func span(start, count int) string {
	switch count {
	case 0:
		return strconv.Itoa(start-1) + ",0"
	case 1:
		return strconv.Itoa(start)
	}
	return strconv.Itoa(start) + "," + strconv.Itoa(count)
}

// isBinary is git's rule: a NUL among the first 8,000 bytes.
func isBinary(b []byte) bool {
	return strings.IndexByte(string(b[:min(len(b), 8000)]), 0) >= 0
}
