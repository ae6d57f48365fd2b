package proof

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A region is a part of a source that holds tests: the lines from one that begins it
// to one that ends it.
type region struct {
	exts  string
	begin *regexp.Regexp
	// end is the last line of a region, behind the next one that does not begin with
	// goesOn; where alone fits that one, it is the last. without says that the line is
	// none of the region any more.
	end, goesOn, alone *regexp.Regexp
	without            bool
	// moves says that the region may also be at the end of the file.
	moves bool
	// mark is a line by which such tests are known where they are no region.
	mark *regexp.Regexp
}

var regions = sync.OnceValue(func() []region {
	re := regexp.MustCompile
	brace, line := re(`^\}`), re(`[;}]\s*$`)
	return []region{
		{exts: ".rs", begin: re(`^#\[(cfg\((all\(|any\()?test\b|(\w+::)*test\b)`), goesOn: re(`^(#\[|//)`), alone: line, end: brace, moves: true, mark: re(`#\[(\w+::)*test\b`)},
		{exts: ".rs", begin: re("^\\s*//[/!]\\s*```"), goesOn: re(`^$`), end: re("^\\s*//[/!]\\s*```"), mark: re(`^$`)},
		{exts: ".zig", begin: re(`^test\b`), goesOn: re(`^$`), alone: re(`\}\s*$`), end: brace, moves: true, mark: re(`^\s+test\b.*\{`)},
		{exts: ".d", begin: re(`^(@\w+ |pure |nothrow )*unittest\b`), goesOn: re(`^$`), alone: re(`\}\s*$`), end: brace, moves: true, mark: re(`^\s+(@\w+ )*unittest\b`)},
		{exts: ".js.ts.mjs.jsx.tsx", begin: re(`^if \(import\.meta\.vitest\)`), goesOn: re(`^$`), alone: re(`\}\s*$`), end: brace, moves: true, mark: re(`import\.meta\.vitest`)},
		{exts: ".py.pyi", begin: re(`^\s*>>>`), goesOn: re(`^$`), end: re(`^\s*$|"""|'''`), without: true, mark: re(`^\s*>>>`)},
		{exts: ".ex", begin: re(`^\s*iex(\(\d+\))?>`), goesOn: re(`^$`), end: re(`^\s*$|"""`), without: true, mark: re(`^\s*iex(\(\d+\))?>`)},
		{exts: ".nim", begin: re(`^$.`), mark: re(`^\s*(doAssert|runnableExamples)\b`)},
	}
})

// regionsOf are those that a source of such a name may have.
func regionsOf(name string) []region {
	ext := path.Ext(name)
	return slices.DeleteFunc(slices.Clone(regions()), func(r region) bool {
		return ext == "" || !slices.Contains(strings.Split(r.exts, "."), ext[1:])
	})
}

// WithOldTests returns new product code with the old tests inside it. whole is false if the change
// touches tests inside that cannot be separated.
func WithOldTests(name string, old, now []byte) (spliced []byte, whole bool) {
	for _, r := range regionsOf(name) {
		if now, whole = r.splice(old, now); !whole {
			return now, false
		}
	}
	return now, true
}

// WithNewTests returns old product code with the new tests inside it, if these can be separated.
// Examples in documentation are not replaced: many projects do not run them.
func WithNewTests(name string, old, now []byte) []byte {
	for _, r := range regionsOf(name) {
		if spliced, whole := r.splice(now, old); whole && r.moves {
			old = spliced
		}
	}
	return old
}

// MayHoldTests reports whether a file of product code with this name may contain tests.
func MayHoldTests(name string) bool { return len(regionsOf(name)) > 0 }

// TestLines returns the lines of product code that belong to tests inside it.
func TestLines(name string, text []byte) map[int]bool {
	lines := map[int]bool{}
	for _, r := range regionsOf(name) {
		code, found, _ := r.part(text)
		at := 0
		for i, piece := range code {
			at += bytes.Count(piece, []byte("\n"))
			if i < len(found) {
				for range bytes.Count(found[i], []byte("\n")) {
					at++
					lines[at] = true
				}
			}
		}
	}
	return lines
}

// splice puts the old regions into the new code: at its end, if they may be anywhere, or else each
// in place of another, if there are as many.
func (r region) splice(old, now []byte) ([]byte, bool) {
	oldCode, was, ok := r.part(old)
	code, is, okNow := r.part(now)
	switch {
	case !ok || !okNow:
		return now, bytes.Equal(old, now)
	case r.lost(oldCode, code):
		return now, false
	case all(was, is): // as they stood, and perhaps more
		if !r.moves || len(was) == len(is) {
			return now, true
		}
	case !r.moves && len(was) != len(is):
		return now, false
	}
	var out []byte
	for i, c := range code {
		out = append(out, c...)
		if !r.moves && i < len(was) {
			out = append(out, was[i]...)
		}
	}
	if r.moves && len(was) > 0 {
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
		out = append(out, bytes.Join(was, nil)...)
	}
	return out, true
}

// part returns the code around the regions of a text, one piece more than there are regions; false
// if one does not end.
func (r region) part(text []byte) (code, found [][]byte, ok bool) {
	code = [][]byte{nil}
	state := outside
	for line := range bytes.Lines(text) {
		row := bytes.TrimRight(line, "\r\n")
		switch {
		case state == outside && r.begin.Match(row):
			found, code, state = append(found, nil), append(code, nil), heads
			if r.goesOn.Match(row) {
				break
			}
			if state = inside; r.alone != nil && r.alone.Match(row) {
				state = ends
			}
		case state == heads && !r.goesOn.Match(row):
			if state = inside; r.alone != nil && r.alone.Match(row) {
				state = ends
			}
		case state == inside && r.end.Match(row):
			if state = ends; r.without {
				state = outside
			}
		}
		if state == outside {
			code[len(code)-1] = append(code[len(code)-1], line...)
			continue
		}
		found[len(found)-1] = append(found[len(found)-1], line...)
		if state == ends {
			state = outside
		}
	}
	return code, found, state == outside || r.without
}

// Where part is in a text: within a region it has the lines that lead to it, and then
// all up to its end.
const (
	outside = iota
	heads
	inside
	ends
)

// lost reports whether code shows fewer tests that are no region.
func (r region) lost(old, now [][]byte) bool {
	count := map[string]int{}
	for _, piece := range now {
		for line := range bytes.Lines(piece) {
			count[string(bytes.TrimSpace(line))]++
		}
	}
	for _, piece := range old {
		for line := range bytes.Lines(piece) {
			key := string(bytes.TrimSpace(line))
			if count[key]--; count[key] < 0 && r.mark.Match(bytes.TrimRight(line, "\r\n")) && key != "" {
				return true
			}
		}
	}
	return false
}

// all reports whether each of some regions is among others.
func all(some, others [][]byte) bool {
	count := map[string]int{}
	for _, o := range others {
		count[string(bytes.TrimSpace(o))]++
	}
	for _, s := range some {
		if count[string(bytes.TrimSpace(s))]--; count[string(bytes.TrimSpace(s))] < 0 {
			return false
		}
	}
	return true
}
