package report

import (
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/pattern"
)

// fileDiff is a file of a unified diff as git writes it.
type fileDiff struct {
	Path           string
	Added, Removed int
	// Notes are the lines that are no text of the file: renames, modes, binary files.
	Notes []string
	Lines []lineDiff
}

// lineDiff is a line of a diff: the head of a hunk (@), one that was added or removed
// (+, -), or one that is as before (blank).
type lineDiff struct{ Sign, Text string }

var hunkHead = pattern.Lazy(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)

// parseDiff reads a diff. Nothing is lost: what belongs to no hunk is a note. It counts
// what is left of the hunk under way, so that a removed line that begins with -- is not
// taken for the head of a file.
func parseDiff(text string) (files []fileDiff) {
	oldLeft, newLeft := 0, 0
	last := func() *fileDiff {
		if len(files) == 0 {
			files = append(files, fileDiff{})
		}
		return &files[len(files)-1]
	}
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		l = strings.TrimSuffix(l, "\r")
		if oldLeft > 0 || newLeft > 0 {
			if old, now, is := last().hunkLine(l); is {
				oldLeft, newLeft = oldLeft-old, newLeft-now
				continue
			}
			oldLeft, newLeft = 0, 0
		}
		m := hunkHead().FindStringSubmatch(l)
		switch {
		case strings.HasPrefix(l, "diff --git "):
			files = append(files, fileDiff{Path: gitPath(l)})
		case m != nil && len(files) > 0:
			oldLeft, newLeft = lineCount(m[1]), lineCount(m[2])
			last().Lines = append(last().Lines, lineDiff{"@", l})
		case strings.HasPrefix(l, "--- ") && (len(files) == 0 || len(last().Lines) > 0):
			files = append(files, fileDiff{Path: named(l[4:])})
		case strings.HasPrefix(l, "--- ") || strings.HasPrefix(l, "+++ "):
			if p := named(l[4:]); p != "" {
				last().Path = p
			}
		case strings.HasPrefix(l, "index ") || l == "" || strings.HasPrefix(l, "\\ ") && len(files) > 0:
		default:
			last().Notes = append(last().Notes, l)
		}
	}
	return files
}

// hunkLine takes a line of the hunk under way, if it is one, and gives of how many old and
// new lines it is.
func (f *fileDiff) hunkLine(l string) (old, now int, is bool) {
	sign, text := " ", ""
	if l != "" { // some tools strip the blank of an empty line
		sign, text = l[:1], l[1:]
	}
	switch sign {
	case " ":
		old, now = 1, 1
	case "-":
		old, f.Removed = 1, f.Removed+1
	case "+":
		now, f.Added = 1, f.Added+1
	case "\\":
		return 0, 0, true
	default:
		return 0, 0, false
	}
	f.Lines = append(f.Lines, lineDiff{sign, text})
	return old, now, true
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

// lineCount reads how many lines a hunk has, 1 where its head does not say.
func lineCount(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1
	}
	return n
}
