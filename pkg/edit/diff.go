package edit

import (
	"io/fs"
	"strconv"
	"strings"
)

// isDiffStart tells the header of a unified diff outside of fences.
func isDiffStart(lines []string, i, to int) bool {
	t := lines[i]
	if strings.HasPrefix(t, "diff --git ") {
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

// isDiff tells whether a fence holds a diff rather than a file.
func (p *parser) isDiff(f fenceLine, name string, first, end int) bool {
	if name != "" && isPatchFile(name) {
		return false
	}
	t := p.lines[first]
	if isDiffStart(p.lines, first, end) || strings.HasPrefix(t, "Index: ") {
		return true
	}
	if f.lang == "diff" || f.lang == "patch" || f.lang == "udiff" {
		return true
	}
	return strings.HasPrefix(t, "@@ ") && name != ""
}

// topDiff reads a diff that stands in the reply without a fence.
func (p *parser) topDiff(i, to int) int {
	var name string
	if q := p.take(); q != nil {
		name = q.path
	}
	d := &diffReader{p: p, to: to, name: name}
	return d.run(i)
}

// fencedDiff reads a diff that fills a fence.
func (p *parser) fencedDiff(f fenceLine, name string, first, end int) {
	p.dedent(first, end, f.indent)
	before := len(p.reply.Edits)
	d := &diffReader{p: p, to: end, name: name, fenced: true}
	d.run(first)
	if len(p.reply.Edits) == before && name == "" {
		p.maybe = append(p.maybe, Problem{Reason: sprintf("the diff at line %d of the reply names no file: begin it with --- and +++ lines", first)})
	}
}

// diffReader reads the files of one unified diff.
type diffReader struct {
	p      *parser
	to     int
	name   string // the path from outside the diff
	fenced bool
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

// run reads files until the text is no diff any more.
func (d *diffReader) run(i int) int {
	for i < d.to {
		t := d.p.lines[i]
		switch {
		case isDiffStart(d.p.lines, i, d.to), strings.HasPrefix(t, "Index: "):
		case d.fenced:
			if strings.TrimSpace(t) == "" || !strings.HasPrefix(t, "@@") && !isBodyLine(t) && !d.bodyAhead(i) {
				i++
				continue
			}
		default:
			if strings.TrimSpace(t) == "" {
				i++
				continue
			}
			return i
		}
		next := d.file(i)
		i = max(next, i+1)
	}
	return i
}

// bodyAhead tells whether an unmarked line is context with its blank missing.
func (d *diffReader) bodyAhead(i int) bool {
	return d.name != "" && i+1 < d.to && isBodyLine(d.p.lines[i+1]) && d.p.lines[i+1][0] != ' '
}

// file reads one file's headers and hunks.
func (d *diffReader) file(i int) int {
	f := &fileDiff{line: i + 1}
	i = d.headers(f, i)
	for i < d.to {
		t := d.p.lines[i]
		if isDiffStart(d.p.lines, i, d.to) || strings.HasPrefix(t, "Index: ") {
			break
		}
		if strings.HasPrefix(t, "@@") || d.fenced && len(f.blocks) == 0 && strings.TrimSpace(t) != "" {
			r := hunkReader{lines: d.p.lines, to: d.to, inText: !d.fenced}
			blocks, next := r.read(i)
			f.blocks, d.p.wholeHunk = append(f.blocks, blocks...), r.whole
			i = max(next, i+1)
			continue
		}
		if strings.TrimSpace(t) == "" && (d.fenced || i+1 < d.to && strings.HasPrefix(d.p.lines[i+1], "@@")) {
			i++
			continue
		}
		if !d.fenced {
			break
		}
		i++
	}
	d.finish(f)
	return i
}

func (d *diffReader) headers(f *fileDiff, i int) int {
	for ; i < d.to; i++ {
		t := d.p.lines[i]
		switch {
		case strings.HasPrefix(t, "diff --git "):
			if f.old != "" || f.new != "" {
				return i
			}
			f.old, f.new = gitPaths(t[len("diff --git "):])
		case strings.HasPrefix(t, "--- ") && isFileHeader(d.p.lines, i, d.to):
			old, new := headerPath(t[4:]), headerPath(d.p.lines[i+1][4:])
			f.added, f.gone = f.added || old == devNull, f.gone || new == devNull
			f.old, f.new = stripSides(old, new)
			return i + 2
		case strings.HasPrefix(t, "new file mode "):
			f.added, f.mode = true, fileMode(t)
		case strings.HasPrefix(t, "deleted file mode "):
			f.gone = true
		case strings.HasPrefix(t, "new mode "):
			f.mode = fileMode(t)
		case strings.HasPrefix(t, "rename from "):
			f.renameA = headerPath(t[len("rename from "):])
		case strings.HasPrefix(t, "rename to "):
			f.renameB = headerPath(t[len("rename to "):])
		case strings.HasPrefix(t, "index "), strings.HasPrefix(t, "old mode "), strings.HasPrefix(t, "similarity index "),
			strings.HasPrefix(t, "dissimilarity index "), strings.HasPrefix(t, "Index: "), strings.HasPrefix(t, "====="):
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
		if s, ok := unquoteGit(t); ok {
			return s
		}
	}
	t, _, _ = strings.Cut(t, "\t")
	t, _ = unquote(strings.TrimSpace(t))
	return t
}

// unquoteGit reads a C-style quoted path with octal bytes.
func unquoteGit(t string) (string, bool) {
	var b strings.Builder
	for i := 1; i < len(t); i++ {
		switch c := t[i]; {
		case c == '"':
			return b.String(), true
		case c != '\\':
			b.WriteByte(c)
		case i+3 < len(t) && t[i+1] >= '0' && t[i+1] <= '3':
			n, err := strconv.ParseUint(t[i+1:i+4], 8, 8)
			if err != nil {
				return "", false
			}
			b.WriteByte(byte(n))
			i += 3
		case i+1 < len(t):
			i++
			switch t[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'r':
				b.WriteByte('\r')
			default:
				b.WriteByte(t[i])
			}
		}
	}
	return "", false
}

// gitPaths divides "a/x b/x", where x may hold blanks but both are the same
// unless headers below say more.
func gitPaths(t string) (old, new string) {
	if strings.HasPrefix(t, `"`) {
		old, _ = unquoteGit(t)
		if i := strings.Index(t[1:], `" `); i >= 0 {
			return stripSides(old, headerPath(t[i+3:]))
		}
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

// finish turns what was read of a file into an edit.
func (d *diffReader) finish(f *fileDiff) {
	name := f.new
	if name == "" || name == devNull {
		name = f.old
	}
	if name == "" || name == devNull {
		name = d.name
	}
	if name == "" {
		return
	}
	e := Edit{Op: Modify, Path: name, Blocks: f.blocks, Ordered: true, Mode: f.mode, Line: f.line}
	switch {
	case f.renameA != "" && f.renameB != "":
		e.From, e.Path = cleanPath(f.renameA), cleanPath(f.renameB)
	case !f.added && !f.gone && f.old != "" && f.new != "" && f.old != f.new && !strings.HasSuffix(f.old, ".orig"):
		e.From = f.old
	}
	switch {
	case f.gone:
		e = Edit{Op: Delete, Path: name, Line: f.line}
	case f.added:
		text, ok := onlyAdded(f.blocks)
		if !ok {
			break // some write /dev/null for a file that exists
		}
		e.Op, e.Content, e.Blocks, e.Ordered = Create, text, nil, false
	case len(f.blocks) == 0 && e.From != "":
		e.Op, e.Ordered = Rename, false
	case len(f.blocks) == 0 && f.mode != 0:
		d.p.problem(name, "the diff at line %d of the reply only changes the mode of %s, which cannot be applied", f.line, name)
		return
	case len(f.blocks) == 0:
		if d.fenced || f.old != "" {
			d.p.problem(name, "the diff at line %d of the reply has no hunk that changes %s", f.line, name)
		}
		return
	}
	d.p.last = e.Path
	d.p.add(e)
}
