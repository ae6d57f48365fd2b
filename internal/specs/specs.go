// Package specs finds pending tests: tests that are written but switched off by
// a marker, such as test.fixme, or a pytest skip whose reason begins with booty.
//
// In go the contents of files, out come the specs in the order in which they are
// to be worked off, each with an id, and the content with a marker taken out or
// put back. The package reads no disk and runs nothing.
//
// Words. A marker is what keeps a test from running. To activate a spec is to
// take its marker out, and nothing else: every other byte of the file stays. A
// spec without a body is one that has nothing to run yet, such as
// it.todo("title"): it goes as a whole, and its title says what test to write.
//
// A new marker is a row of the table in markers.go and an archive in testdata.
package specs

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
)

// Spec is a pending test.
type Spec struct {
	// ID names the spec, for branches and people. It is unique within a Queue.
	ID    string
	Title string
	File  string
	Line  int
	// Marker is what keeps it pending, as people call it.
	Marker string
	// Test is the name of the test or group that the marker is at, as its file
	// has it; "" where only the title is known.
	Test string
	// Bodyless reports whether there is a title alone, and no test to activate.
	Bodyless bool
	// Priority orders the specs, the lower first.
	Priority int
	// After are the ids of the specs that are to be done before this one.
	After []string
	// MaxAttempts and Timeout are what comments besides the spec ask for; 0 is nothing.
	MaxAttempts int
	Timeout     time.Duration
	// SharedID is the id that an earlier spec has too, so that this one got another.
	SharedID string

	cut cut
}

// cut says which bytes of a file are the marker, and what stands there without it.
type cut struct {
	from, to int
	text     string
}

// Pattern is a marker of the user's own.
type Pattern struct {
	// Match reports whether the pattern is looked for in a file.
	Match func(path string) bool
	// Pending finds the marker; its group 1 is the title. Active replaces the
	// match, as in regexp.Regexp.Expand.
	Pending *regexp.Regexp
	Active  string
}

// Compile compiles the expression of a pattern; ^ and $ are those of a line.
func Compile(pending string) (*regexp.Regexp, error) { return regexp.Compile("(?m)" + pending) }

// defaultPriority is that of a spec without an annotation.
const defaultPriority = 100

// Finder finds the specs of files.
type Finder struct {
	patterns []Pattern
}

// NewFinder returns a finder that knows the user's own patterns too.
func NewFinder(patterns []Pattern) *Finder { return &Finder{patterns} }

// May reports whether a file of that name could hold a spec.
func (f *Finder) May(path string) bool {
	if markersOf(path) != nil {
		return true
	}
	return slices.ContainsFunc(f.patterns, func(p Pattern) bool { return p.Match(path) })
}

// In returns the specs of a file by position. Their ids are those that Order settles.
func (f *Finder) In(path string, data []byte) []Spec {
	var out []Spec
	if row := markersOf(path); row != nil && row.mayHold(data) {
		s := newSource(path, data, row.lang)
		for _, m := range row.markers {
			out = append(out, m.find(s, m.name)...)
		}
		for i := range out {
			s.annotate(&out[i])
		}
	}
	for _, p := range f.patterns {
		if p.Match(path) {
			out = append(out, p.find(path, data)...)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].cut.from < out[j].cut.from })
	return apart(out)
}

// apart leaves out what overlaps an earlier spec: one marker is one spec,
// whoever finds it.
func apart(specs []Spec) []Spec {
	var out []Spec
	for _, s := range specs {
		if n := len(out); n > 0 && s.cut.from < out[n-1].cut.to {
			continue
		}
		out = append(out, s)
	}
	return out
}

// Order puts the specs of all files in the order in which they are worked off, by rank
// of the file (nil for none), priority, path and position, and gives each an id of its
// own: equal ones get -2, -3 by path and position.
func Order(all []Spec, rank func(path string) int) []Spec {
	out := slices.Clone(all)
	sort.SliceStable(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.cut.from, b.cut.from)) < 0
	})
	wanted, taken := map[string]bool{}, map[string]bool{}
	for i := range out {
		out[i].ID = idOf(out[i])
		wanted[strings.ToLower(out[i].ID)] = true // branches of some file systems know no case
	}
	for i := range out {
		id := out[i].ID
		for n := 2; taken[strings.ToLower(out[i].ID)]; n++ {
			next := fmt.Sprintf("%s-%d", id, n)
			if key := strings.ToLower(next); !wanted[key] && !taken[key] {
				out[i].ID, out[i].SharedID = next, id
			}
		}
		taken[strings.ToLower(out[i].ID)] = true
	}
	if rank == nil {
		rank = func(string) int { return 0 }
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return cmp.Or(cmp.Compare(rank(a.File), rank(b.File)), cmp.Compare(a.Priority, b.Priority)) < 0
	})
	return out
}

// Activate takes the spec's marker out of the content that it was found in.
func (s Spec) Activate(data []byte) []byte {
	out := make([]byte, 0, len(data))
	out = append(out, data[:s.cut.from]...)
	out = append(out, s.cut.text...)
	return append(out, data[s.cut.to:]...)
}

// PutBack puts the marker of a spec back into content that goes back to what it
// was found in, before, with the marker taken out. It says false if the place
// is not to be told any more.
func (s Spec) PutBack(before, data []byte) ([]byte, bool) {
	marker := before[s.cut.from:s.cut.to]
	// The text right after the marker is the test itself, which nobody may change.
	for _, around := range []int{160, 60, 25} {
		head := before[max(0, s.cut.from-around):s.cut.from]
		tail := before[s.cut.to:min(len(before), s.cut.to+around)]
		for _, look := range []struct{ head, tail []byte }{{head, tail}, {nil, tail}, {head, nil}} {
			text := string(look.head) + s.cut.text + string(look.tail)
			if len(look.head)+len(look.tail) == 0 || strings.Count(string(data), text) != 1 {
				continue
			}
			at := strings.Index(string(data), text) + len(look.head)
			out := append(slices.Clone(data[:at]), marker...)
			return append(out, data[at+len(s.cut.text):]...), true
		}
	}
	return nil, false
}

// Place tells the line that the marker is in once it is put back, and its text.
func (s Spec) Place(before, data []byte) (line int, text string, ok bool) {
	back, ok := s.PutBack(before, data)
	if !ok {
		return 0, "", false
	}
	at := 0
	for at < len(data) && back[at] == data[at] {
		at++
	}
	begin := bytes.LastIndexByte(back[:at], '\n') + 1
	return lineAt(back, at), strings.TrimSpace(string(back[begin : begin+lineEnd(back[begin:])])), true
}

func (p Pattern) find(path string, data []byte) []Spec {
	var out []Spec
	for _, m := range p.Pending.FindAllSubmatchIndex(data, -1) {
		if m[1] == m[0] || len(m) < 4 {
			continue // nothing is no marker
		}
		title := ""
		if m[2] >= 0 {
			title = string(data[m[2]:m[3]])
		}
		s := Spec{
			Title: tidyTitle(title), File: path, Line: lineAt(data, m[0]), Marker: "pattern",
			Priority: defaultPriority,
			cut:      cut{m[0], m[1], string(p.Pending.Expand(nil, []byte(p.Active), data, m))},
		}
		annotateText(&s, data, m[0], m[1])
		out = append(out, s)
	}
	return out
}
