package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
)

// Of the changed files a report shows some, and names the others where they are asked for: a
// comment has at most so many.
const (
	filesShown  = 10
	filesFolded = 200
)

// givenNames are names that a report has given: it gives each once.
type givenNames map[string]bool

// some gives a few names that were not given yet, and counts the others.
func (n givenNames) some(names []string) string {
	fresh := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return n[name] })
	for _, name := range fresh[:min(len(fresh), mostNames)] {
		n[name] = true
	}
	switch above := len(names) - len(fresh); {
	case above == 0:
		return Some(fresh)
	case len(fresh) == 0:
		return count(above, "test") + " named above"
	default:
		return Some(fresh) + ", " + count(above, "test") + " named above"
	}
}

// byUrgency are the changed files: first those of which tests noticed nothing, last those of
// which nothing was tried.
func (p Proven) byUrgency() []event.ProvenFile {
	rank := func(f event.ProvenFile) int {
		switch {
		case f.Tried == 0:
			return 2
		case f.Survived == f.Tried:
			return 0
		}
		return 1
	}
	files := slices.Clone(p.Files)
	slices.SortStableFunc(files, func(a, b event.ProvenFile) int { return cmp.Compare(rank(a), rank(b)) })
	return files
}

func (p Proven) writeFiles(out *paint, n givenNames) {
	files := p.byUrgency()
	if len(files) == 0 {
		return
	}
	out.line("")
	out.line(out.bold("Changed files"))
	more := 0
	if !p.All {
		more = max(0, len(files)-filesShown)
	}
	for _, f := range files[:len(files)-more] {
		text := "no small change was tried"
		if f.Tried > 0 {
			text = fmt.Sprintf("%d of %d small changes made a test fail", f.Tried-f.Survived, f.Tried)
		}
		if tests := n.some(f.Tests); tests != "" {
			text += ": " + clean(tests)
		}
		out.wrapped("  "+clean(f.Path)+": ", text)
	}
	if more > 0 {
		out.line(fmt.Sprintf("  and %d more; -v shows all", more))
	}
}

// filesMarkdown is a table of the changed files. What is beyond a few is folded.
func (p Proven) filesMarkdown(n givenNames) string {
	files := p.byUrgency()
	if len(files) <= filesShown {
		return fileTable(files, n)
	}
	shown, rest := fileTable(files[:filesShown], n), files[filesShown:]
	folded := fileTable(rest[:min(len(rest), filesFolded)], n)
	if left := len(rest) - filesFolded; left > 0 {
		folded += fmt.Sprintf("\nand %d more\n", left)
	}
	return shown + "\n" + details(fmt.Sprintf("and %d more", len(rest)), folded)
}

func fileTable(files []event.ProvenFile, n givenNames) string {
	if len(files) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| File | Small changes that made a test fail | Tests |\n|---|---|---|\n")
	for _, f := range files {
		noticed := "none was tried"
		if f.Tried > 0 {
			noticed = fmt.Sprintf("%d of %d", f.Tried-f.Survived, f.Tried)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", codeCell(f.Path), noticed, cell(n.some(f.Tests)))
	}
	return b.String()
}
