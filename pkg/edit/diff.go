package edit

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// isDiffStart reports the header of a unified diff outside of fences.
func isDiffStart(lines []string, i, to int) bool {
	return strings.HasPrefix(lines[i], "diff --git ") || strings.HasPrefix(lines[i], "Index: ") ||
		isFileHeader(lines, i, to)
}

// isFileHeader tells "--- old" and "+++ new" from similar lines of a hunk, by what follows.
func isFileHeader(lines []string, i, to int) bool {
	if !strings.HasPrefix(lines[i], "--- ") || i+1 >= to || !strings.HasPrefix(lines[i+1], "+++ ") {
		return false
	}
	next := ""
	if i+2 < to {
		next = lines[i+2]
	}
	return strings.TrimSpace(next) == "" || strings.HasPrefix(next, "@@") || isBodyLine(next) ||
		strings.HasPrefix(next, "diff --git ") || strings.HasPrefix(lines[i+1], "+++ /dev/null")
}

func isBodyLine(t string) bool {
	return t != "" && (t[0] == ' ' || t[0] == '+' || t[0] == '-' || t[0] == '\\')
}

// isDiff reports whether a fence holds a diff rather than a file.
func (p *parser) isDiff(f fenceLine, name string, first, end int) bool {
	if name != "" && isPatchFile(name) {
		return false
	}
	return isDiffStart(p.lines, first, end) || f.lang == "diff" || f.lang == "patch" || f.lang == "udiff" ||
		strings.HasPrefix(p.lines[first], "@@ ")
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

// diff reads the files of a unified diff, in a fence or in open text; name is the path in
// the text above it.
func (p *parser) diff(i, to int, name string, fenced bool) int {
	var f *fileDiff
	known, start := false, i
	for ; i < to; i++ {
		t := p.lines[i]
		blank := strings.TrimSpace(t) == ""
		switch {
		case isDiffStart(p.lines, i, to):
			known = p.addDiff(f, name, fenced) || known
			f = &fileDiff{line: i + 1}
			i = max(p.diffHead(f, i, to), i+1) - 1
			continue
		case strings.HasPrefix(t, "@@"),
			fenced && !blank && isBodyLine(t) && (f == nil || len(f.blocks) == 0):
			if f == nil {
				f = &fileDiff{line: i + 1}
			}
			r := hunkReader{lines: p.lines, to: to, inText: !fenced}
			blocks, next := r.read(i)
			f.blocks = append(f.blocks, blocks...)
			i = max(next, i+1) - 1
			continue
		}
		if !fenced && !blank {
			break
		}
	}
	if known = p.addDiff(f, name, fenced) || known; fenced && !known {
		p.maybe = append(p.maybe,
			Problem{Reason: fmt.Sprintf("the diff at line %d of the reply names no file: "+
				"begin it with --- and +++ lines", start)})
		if f != nil {
			p.unplacedDiff(f.blocks, start)
		}
	}
	return i
}

// diffHead reads the lines that name the file of the hunks.
func (p *parser) diffHead(f *fileDiff, i, to int) int {
	for start := i; i < to; i++ {
		t := p.lines[i]
		word, rest, _ := strings.Cut(t, " ")
		after := func(prefix string) bool {
			s, ok := strings.CutPrefix(t, prefix)
			rest = s
			return ok
		}
		switch {
		case isFileHeader(p.lines, i, to):
			old, new := headerPath(rest), headerPath(p.lines[i+1][4:])
			f.added, f.gone = f.added || old == devNull, f.gone || new == devNull
			f.old, f.new = stripSides(old, new)
			return i + 2
		case i > start && strings.HasPrefix(t, "diff --git "):
			return i
		case after("diff --git "):
			f.old, f.new = gitPaths(rest)
		case after("new file mode "):
			f.added, f.mode = true, fileMode(rest)
		case after("new mode "):
			f.mode = fileMode(rest)
		case after("deleted file mode "):
			f.gone = true
		case after("rename from "):
			f.renameA = headerPath(rest)
		case after("rename to "):
			f.renameB = headerPath(rest)
		case !headWords()[word] && !strings.HasPrefix(t, "====="):
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

// addDiff turns a file's diff into an edit, and reports whether it names a file.
func (p *parser) addDiff(f *fileDiff, name string, fenced bool) bool {
	if f == nil {
		return false
	}
	for _, n := range []string{f.old, f.new} {
		if n != "" && n != devNull {
			name = n
		}
	}
	if name == "" {
		return false
	}
	e := Edit{Op: Modify, Path: name, Blocks: f.blocks, Ordered: true, Mode: f.mode, Line: f.line}
	switch {
	case f.renameA != "" && f.renameB != "":
		e.From, e.Path = cleanPath(f.renameA), cleanPath(f.renameB)
	case !f.added && !f.gone && f.old != "" && f.new != "" && f.old != f.new &&
		!strings.HasSuffix(f.old, ".orig"):
		e.From = f.old
	}
	text, only := onlyAdded(f.blocks)
	switch {
	case f.gone:
		e = Edit{Op: Delete, Path: name, Line: f.line}
	case f.added && only: // some write /dev/null for a file that exists
		e.Op, e.Content, e.Blocks, e.Ordered = Create, text, nil, false
	case len(f.blocks) > 0:
	case e.From != "":
		e.Op, e.Ordered = Rename, false
	default:
		if fenced || f.old != "" {
			p.problem(name, "the diff at line %d of the reply has no hunk that changes %s", f.line, name)
		}
		return true
	}
	p.last = e.Path
	p.add(e)
	return true
}
