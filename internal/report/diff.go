package report

import (
	"regexp"
	"strconv"
	"strings"
)

// fileDiff is a file of a unified diff as git writes it.
type fileDiff struct {
	Path           string
	Added, Removed int
	// Notes are the lines that are no text of the file: renames, modes, binary files.
	Notes []string
	Hunks []hunkDiff
}

// hunkDiff is a run of lines; Where is the text behind its line numbers.
type hunkDiff struct {
	Head   string
	Blocks []blockDiff
}

// blockDiff is unchanged lines, or old lines and the new ones in their place.
type blockDiff struct {
	Same     bool
	Old, New []lineDiff
}

type lineDiff struct {
	N    int
	Text string
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// parseDiff reads a diff. Nothing is lost: what belongs to no hunk is a note.
func parseDiff(text string) []fileDiff {
	r := diffReader{}
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		r.line(strings.TrimSuffix(l, "\r"))
	}
	return r.files
}

// diffReader counts what is left of the hunk under way, so that a removed line
// that begins with -- is not taken for the head of a file.
type diffReader struct {
	files            []fileDiff
	oldLeft, newLeft int
	oldN, newN       int
}

func (r *diffReader) line(l string) {
	if r.oldLeft > 0 || r.newLeft > 0 {
		if r.hunkLine(l) {
			return
		}
		r.oldLeft, r.newLeft = 0, 0
	}
	f := r.file()
	switch m := hunkHead.FindStringSubmatch(l); {
	case strings.HasPrefix(l, "diff --git "):
		r.files = append(r.files, fileDiff{Path: gitPath(l)})
	case m != nil && f != nil:
		r.oldN, r.oldLeft, r.newN, r.newLeft = number(m[1], 0), number(m[2], 1), number(m[3], 0), number(m[4], 1)
		f.Hunks = append(f.Hunks, hunkDiff{Head: l})
	case strings.HasPrefix(l, "--- ") && (f == nil || len(f.Hunks) > 0):
		r.files = append(r.files, fileDiff{Path: named(l[4:])})
	case strings.HasPrefix(l, "--- ") || strings.HasPrefix(l, "+++ "):
		if p := named(l[4:]); p != "" {
			f = r.must()
			f.Path = p
		}
	case strings.HasPrefix(l, "index ") || l == "":
	case strings.HasPrefix(l, "\\ "):
		f = r.must()
		if n := len(f.Hunks); n > 0 {
			return // no newline at the end of the file: said by git, of no weight here
		}
		f.Notes = append(f.Notes, l)
	default:
		f = r.must()
		f.Notes = append(f.Notes, l)
	}
}

func (r *diffReader) file() *fileDiff {
	if len(r.files) == 0 {
		return nil
	}
	return &r.files[len(r.files)-1]
}

// must gives the file under way, one without a name where none has begun.
func (r *diffReader) must() *fileDiff {
	if len(r.files) == 0 {
		r.files = append(r.files, fileDiff{})
	}
	return r.file()
}

// hunkLine takes a line of the hunk under way, and says whether it is one.
func (r *diffReader) hunkLine(l string) bool {
	f := r.file()
	h := &f.Hunks[len(f.Hunks)-1]
	sign, text := byte(' '), ""
	if l != "" { // some tools strip the blank of an empty line
		sign, text = l[0], l[1:]
	}
	switch sign {
	case ' ':
		b := h.block(true)
		b.Old, b.New = append(b.Old, lineDiff{r.oldN, text}), append(b.New, lineDiff{r.newN, text})
		r.oldN, r.newN, r.oldLeft, r.newLeft = r.oldN+1, r.newN+1, r.oldLeft-1, r.newLeft-1
	case '-':
		b := h.block(false)
		b.Old = append(b.Old, lineDiff{r.oldN, text})
		r.oldN, r.oldLeft, f.Removed = r.oldN+1, r.oldLeft-1, f.Removed+1
	case '+':
		b := h.block(false)
		b.New = append(b.New, lineDiff{r.newN, text})
		r.newN, r.newLeft, f.Added = r.newN+1, r.newLeft-1, f.Added+1
	case '\\':
	default:
		return false
	}
	return true
}

// block gives the last block where it is of the kind, else a new one.
func (h *hunkDiff) block(same bool) *blockDiff {
	if n := len(h.Blocks); n == 0 || h.Blocks[n-1].Same != same {
		h.Blocks = append(h.Blocks, blockDiff{Same: same})
	}
	return &h.Blocks[len(h.Blocks)-1]
}

func (f fileDiff) lines() int {
	n := 0
	for _, h := range f.Hunks {
		for _, b := range h.Blocks {
			n += max(len(b.Old), len(b.New))
		}
	}
	return n
}

// gitPath is the new name in the first line of a file's diff.
func gitPath(l string) string {
	if i := strings.LastIndex(l, " b/"); i >= 0 {
		return l[i+3:]
	}
	if i := strings.LastIndex(l, ` "b/`); i >= 0 {
		return named(l[i+1:])
	}
	return strings.TrimPrefix(l, "diff --git ")
}

// named reads the name behind --- or +++, "" for a file that is not there.
func named(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if u, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		s = u
	}
	if s == "/dev/null" {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(s, "a/"), "b/")
}

func number(s string, instead int) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return instead
	}
	return n
}
