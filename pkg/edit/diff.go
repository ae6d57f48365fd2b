package edit

import (
	"io/fs"
	"strconv"
	"strings"
)

// isDiffStart tells the header of a unified diff outside of fences.
func isDiffStart(lines []string, i, to int) bool {
	t := lines[i]
	if strings.HasPrefix(t, "diff --git ") || strings.HasPrefix(t, "Index: ") {
		return true
	}
	return isFileHeader(lines, i, to)
}

// isFileHeader tells "--- old" and "+++ new" from lines of a hunk that look
// so, by what follows.
func isFileHeader(lines []string, i, to int) bool {
	if !strings.HasPrefix(lines[i], "--- ") || i+1 >= to || !strings.HasPrefix(lines[i+1], "+++ ") {
		return false
	}
	for j := i + 2; j < to; j++ {
		if strings.TrimSpace(lines[j]) == "" {
			continue
		}
		return strings.HasPrefix(lines[j], "@@") || strings.HasPrefix(lines[i+1], "+++ /dev/null") ||
			strings.HasPrefix(lines[j], "diff --git ") ||
			isBodyLine(lines[j]) || j > i+2
	}
	return true
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
		strings.HasPrefix(p.lines[first], "@@ ") && name != ""
}

// fileDiff is one file's part while it is read.
type fileDiff struct {
	old, new         string
	line             int
	added, gone      bool
	mode             fs.FileMode
	renameA, renameB string
	blocks           []Block
}

// diff reads the files of a unified diff, in a fence or in open text; name is the
// path that stands above it.
func (p *parser) diff(i, to int, name string, fenced bool) int {
	var f *fileDiff
	known := false
	flush := func() {
		if f != nil {
			known = p.addDiff(f, name, fenced) || known
		}
		f = nil
	}
	defer func() {
		if flush(); fenced && !known {
			p.maybe = append(p.maybe, Problem{Reason: sprintf("the diff at line %d of the reply names no file: begin it with --- and +++ lines", i)})
		}
	}()
	for i < to {
		t := p.lines[i]
		blank := strings.TrimSpace(t) == ""
		switch {
		case isDiffStart(p.lines, i, to):
			flush()
			f = &fileDiff{line: i + 1}
			i = max(p.diffHead(f, i, to), i+1)
			continue
		case strings.HasPrefix(t, "@@"), fenced && !blank && isBodyLine(t) && (f == nil || len(f.blocks) == 0):
			if f == nil {
				f = &fileDiff{line: i + 1}
			}
			r := hunkReader{lines: p.lines, to: to, inText: !fenced}
			blocks, next := r.read(i)
			f.blocks, p.wholeHunk = append(f.blocks, blocks...), r.whole
			i = max(next, i+1)
			continue
		case !fenced && !blank:
			return i
		}
		i++
	}
	return i
}

// diffHead reads the lines that say which file the hunks are of.
func (p *parser) diffHead(f *fileDiff, i, to int) int {
	for ; i < to; i++ {
		word, rest, _ := strings.Cut(p.lines[i], " ")
		switch {
		case strings.HasPrefix(p.lines[i], "diff --git "):
			if f.old != "" || f.new != "" {
				return i
			}
			f.old, f.new = gitPaths(strings.TrimPrefix(rest, "--git "))
		case isFileHeader(p.lines, i, to):
			old, new := headerPath(rest), headerPath(p.lines[i+1][4:])
			f.added, f.gone = f.added || old == devNull, f.gone || new == devNull
			f.old, f.new = stripSides(old, new)
			return i + 2
		case strings.HasPrefix(rest, "file mode ") && word == "new":
			f.added, f.mode = true, fileMode(rest)
		case strings.HasPrefix(rest, "file mode ") && word == "deleted":
			f.gone = true
		case strings.HasPrefix(rest, "mode ") && word == "new":
			f.mode = fileMode(rest)
		case strings.HasPrefix(rest, "from ") && word == "rename":
			f.renameA = headerPath(rest[5:])
		case strings.HasPrefix(rest, "to ") && word == "rename":
			f.renameB = headerPath(rest[3:])
		case word == "index", word == "Index:", word == "old", word == "similarity", word == "dissimilarity", strings.HasPrefix(word, "====="):
		default:
			return i
		}
	}
	return i
}

const devNull = "/dev/null"

func fileMode(t string) fs.FileMode {
	if strings.HasSuffix(strings.TrimSpace(t), "755") {
		return 0o755
	}
	return 0
}

// headerPath is the path of a header line: quoted as git does, or up to a tab.
func headerPath(t string) string {
	t = strings.TrimSpace(t)
	if strings.HasPrefix(t, `"`) {
		if s, err := strconv.Unquote(t[:1+strings.LastIndexByte(t, '"')]); err == nil { // git quotes as C does
			return s
		}
	}
	t, _, _ = strings.Cut(t, "\t")
	t, _ = unquote(strings.TrimSpace(t))
	return t
}

// gitPaths divides "a/x b/x", where x may hold blanks but both are the same
// unless headers below say more.
func gitPaths(t string) (old, new string) {
	if i := strings.Index(t, `" "`); strings.HasPrefix(t, `"`) && i > 0 {
		return stripSides(headerPath(t[:i+1]), headerPath(t[i+2:]))
	}
	for i := 0; i+3 <= len(t); i++ {
		if strings.HasPrefix(t[i:], " b/") && t[:i] == "a/"+t[i+3:] {
			return stripSides(t[:i], t[i+1:])
		}
	}
	if a, b, ok := strings.Cut(t, " b/"); ok {
		return stripSides(a, "b/"+b)
	}
	a, b, _ := strings.Cut(t, " ")
	return stripSides(a, b)
}

// stripSides drops git's a/ and b/, which are there on both sides or on neither.
func stripSides(old, new string) (string, string) {
	old, new = cleanPath(old), cleanPath(new)
	a, ok1 := strings.CutPrefix(old, "a/")
	b, ok2 := strings.CutPrefix(new, "b/")
	switch {
	case ok1 && ok2, ok1 && new == devNull, ok2 && old == devNull:
		old, new = a, b
	}
	return cleanPath(old), cleanPath(new)
}

// addDiff turns what was read of a file into an edit, and reports whether it names one.
func (p *parser) addDiff(f *fileDiff, name string, fenced bool) bool {
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
	case !f.added && !f.gone && f.old != "" && f.new != "" && f.old != f.new && !strings.HasSuffix(f.old, ".orig"):
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
