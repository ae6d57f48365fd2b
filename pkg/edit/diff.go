package edit

import (
	"cmp"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// isDiffStart reports the header of a unified diff outside of fences.
func isDiffStart(t text, i int) bool {
	return strings.HasPrefix(t.lines[i], "diff --git ") || strings.HasPrefix(t.lines[i], "Index: ") ||
		isFileHeader(t, i)
}

// isFileHeader tells "--- old" and "+++ new" from similar lines of a hunk, by what follows.
func isFileHeader(t text, i int) bool {
	lines := t.lines[i:]
	if !strings.HasPrefix(lines[0], "--- ") || len(lines) < 2 || !strings.HasPrefix(lines[1], "+++ ") {
		return false
	}
	next := ""
	if len(lines) > 2 {
		next = lines[2]
	}
	return strings.TrimSpace(next) == "" || strings.HasPrefix(next, "@@") || isBodyLine(next) ||
		strings.HasPrefix(next, "diff --git ") || strings.HasPrefix(lines[1], "+++ /dev/null")
}

func isBodyLine(t string) bool {
	return t != "" && (t[0] == ' ' || t[0] == '+' || t[0] == '-' || t[0] == '\\')
}

// openDiff reads a diff in open text, which begins with a header.
func openDiff(t text, i int, c context) *found {
	if !isDiffStart(t, i) {
		return nil
	}
	f := c.begin()
	f.next, _, _ = f.diff(t, i, c.pend.path, false)
	return f
}

// holdsDiff reports whether a fence holds a diff rather than the file of that name.
func (f fenceLine) holdsDiff(body text, first int, name string) bool {
	return !isPatchFile(name) &&
		(isDiffStart(body, first) || f.lang == "diff" || f.lang == "patch" || f.lang == "udiff" ||
			strings.HasPrefix(body.lines[first], "@@ "))
}

// fencedDiff reads the diff in a fence; above is the text over it.
func fencedDiff(body text, first int, name, above string, c context) *found {
	f := c.begin()
	_, known, hunks := f.diff(body, first, name, true)
	if known {
		return f
	}
	f.maybe = fmt.Sprintf("the diff at line %d of the reply names no file: begin it with --- and +++ lines",
		body.number(first)-1)
	for _, b := range hunks {
		f.fence(Fence{Line: b.Line, Above: above, Paths: pathsIn(above), Lang: "diff",
			Text: cmp.Or(b.Replace, b.Search)})
	}
	return f
}

// fileDiff is one file's part of a diff.
type fileDiff struct {
	old, new         string
	line             int
	added, gone      bool
	mode             fs.FileMode
	renameA, renameB string
	blocks           []Block
}

// diff adds the files of a unified diff, which begins with line i; name is the path in the
// text above it. known reports whether a part of it is for a file; hunks are those of the
// last part.
func (f *found) diff(t text, i int, name string, fenced bool) (next int, known bool, hunks []Block) {
	var d *fileDiff
	for ; i < len(t.lines); i++ {
		l := t.lines[i]
		blank := strings.TrimSpace(l) == ""
		switch {
		case isDiffStart(t, i):
			known = f.fileDiff(d, name, fenced) || known
			d = &fileDiff{line: t.number(i)}
			i = max(d.head(t, i), i+1) - 1
			continue
		case strings.HasPrefix(l, "@@"),
			fenced && !blank && isBodyLine(l) && (d == nil || len(d.blocks) == 0):
			if d == nil {
				d = &fileDiff{line: t.number(i)}
			}
			r := hunkReader{text: t, inText: !fenced}
			blocks, next := r.read(i)
			d.blocks = append(d.blocks, blocks...)
			i = max(next, i+1) - 1
			continue
		}
		if !fenced && !blank {
			break
		}
	}
	known = f.fileDiff(d, name, fenced) || known
	if d != nil {
		hunks = d.blocks
	}
	return i, known, hunks
}

// head reads the lines that name the file of the hunks.
func (d *fileDiff) head(t text, i int) int {
	for start := i; i < len(t.lines); i++ {
		l := t.lines[i]
		word, rest, _ := strings.Cut(l, " ")
		after := func(prefix string) bool {
			s, ok := strings.CutPrefix(l, prefix)
			rest = s
			return ok
		}
		switch {
		case isFileHeader(t, i):
			old, new := headerPath(rest), headerPath(t.lines[i+1][4:])
			d.added, d.gone = d.added || old == devNull, d.gone || new == devNull
			d.old, d.new = stripSides(old, new)
			return i + 2
		case i > start && strings.HasPrefix(l, "diff --git "):
			return i
		case after("diff --git "):
			d.old, d.new = gitPaths(rest)
		case after("new file mode "):
			d.added, d.mode = true, fileMode(rest)
		case after("new mode "):
			d.mode = fileMode(rest)
		case after("deleted file mode "):
			d.gone = true
		case after("rename from "):
			d.renameA = headerPath(rest)
		case after("rename to "):
			d.renameB = headerPath(rest)
		case !headWords()[word] && !strings.HasPrefix(l, "====="):
			return i
		}
	}
	return i
}

// headWords begin other header lines.
var headWords = wordSet("index Index: old similarity dissimilarity")

const devNull = "/dev/null"

func fileMode(t string) fs.FileMode {
	if strings.HasSuffix(strings.TrimSpace(t), "755") {
		return 0o755
	}
	return 0
}

// headerPath returns the path of a header line: quoted as git does, or up to a tab.
func headerPath(t string) string {
	t = strings.TrimSpace(t)
	if strings.HasPrefix(t, `"`) {
		if s, err := strconv.Unquote(t[:1+strings.LastIndexByte(t, '"')]); err == nil { // git quotes like C
			return s
		}
	}
	t, _, _ = strings.Cut(t, "\t")
	t, _ = unquote(strings.TrimSpace(t))
	return t
}

// gitPaths splits "a/x b/x". x may have spaces; both are the same unless later headers say
// otherwise.
func gitPaths(t string) (old, new string) {
	if n := len(t) / 2; n > 2 && t[n] == ' ' && t[1:n] == t[n+2:] {
		return stripSides(t[:n], t[n+1:])
	}
	if a, b, ok := strings.Cut(t, " b/"); ok {
		return stripSides(a, "b/"+b)
	}
	a, b, _ := strings.Cut(t, " ")
	return stripSides(a, b)
}

// stripSides drops git's a/ and b/, which are on both sides or on neither.
func stripSides(old, new string) (string, string) {
	old, new = cleanPath(old), cleanPath(new)
	a, ok1 := strings.CutPrefix(old, "a/")
	b, ok2 := strings.CutPrefix(new, "b/")
	if ok1 && ok2 || ok1 && new == devNull || ok2 && old == devNull {
		old, new = a, b
	}
	return cleanPath(old), cleanPath(new)
}

// fileDiff adds the edit that a file's diff stands for, and reports whether it names a file.
func (f *found) fileDiff(d *fileDiff, name string, fenced bool) bool {
	if d == nil {
		return false
	}
	for _, n := range []string{d.old, d.new} {
		if n != "" && n != devNull {
			name = n
		}
	}
	if name == "" {
		return false
	}
	e := Edit{Op: Modify, Path: name, Blocks: d.blocks, Ordered: true, Mode: d.mode, Line: d.line}
	switch {
	case d.renameA != "" && d.renameB != "":
		e.From, e.Path = cleanPath(d.renameA), cleanPath(d.renameB)
	case !d.added && !d.gone && d.old != "" && d.new != "" && d.old != d.new &&
		!strings.HasSuffix(d.old, ".orig"):
		e.From = d.old
	}
	text, only := onlyAdded(d.blocks)
	switch {
	case d.gone:
		e = Edit{Op: Delete, Path: name, Line: d.line}
	case d.added && only: // some write /dev/null for a file that exists
		e.Op, e.Content, e.Blocks, e.Ordered = Create, text, nil, false
	case len(d.blocks) > 0:
	case e.From != "":
		e.Op, e.Ordered = Rename, false
	default:
		if fenced || d.old != "" {
			f.problem(name, "the diff at line %d of the reply has no hunk that changes %s", d.line, name)
		}
		return true
	}
	f.last = e.Path
	f.edit(e)
	return true
}
