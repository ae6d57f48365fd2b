// Package specs finds pending tests: tests that are written but switched off by a marker,
// such as test.fixme, or a pytest skip whose reason begins with booty.
//
// The contents of files go in. Specs come out in the order in which to work on them, each
// with an ID, as does the content with a marker removed or restored. The package reads no
// disk and runs nothing.
//
// Words. A marker keeps a test from running. To activate a spec is to remove its marker and
// nothing else: every other byte of the file stays. A spec without a body has nothing to
// run yet, such as it.todo("title"): it is removed as a whole, and its title says what test
// to write.
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
	// Marker is the usual name of what keeps it pending.
	Marker string
	// Test is the name of the test or group with the marker, as in its file, or "" if only
	// the title is known.
	Test string
	// Bodyless reports whether there is only a title and no test to activate.
	Bodyless bool
	// Priority orders the specs, lower first.
	Priority int
	// After are the IDs of the specs to finish before this one.
	After []string
	// MaxAttempts and Timeout come from annotations; 0 means none.
	MaxAttempts int
	Timeout     time.Duration
	// SharedID is the ID that an earlier spec already has, so that this one got another.
	SharedID string

	cut cut
}

// cut holds which bytes of a file are the marker, and what replaces them.
type cut struct {
	from, to int
	text     string
}

// Pattern is a marker defined by the user.
type Pattern struct {
	// Match reports whether the pattern applies to a file.
	Match func(path string) bool
	// Pending finds the marker; its group 1 is the title. Active replaces the match, as in
	// regexp.Regexp.Expand.
	Pending *regexp.Regexp
	Active  string
}

// Compile compiles the expression of a pattern; ^ and $ match at line ends.
func Compile(pending string) (*regexp.Regexp, error) { return regexp.Compile("(?m)" + pending) }

// defaultPriority is the priority without an annotation.
const defaultPriority = 100

// Finder finds the specs of files.
type Finder struct {
	patterns []Pattern
}

// NewFinder returns a finder that also knows the user's patterns.
func NewFinder(patterns []Pattern) *Finder { return &Finder{patterns} }

// May reports whether a file with that name can contain a spec.
func (f *Finder) May(path string) bool {
	if markersOf(path) != nil {
		return true
	}
	return slices.ContainsFunc(f.patterns, func(p Pattern) bool { return p.Match(path) })
}

// In returns the specs of a file by position. Order assigns the final IDs.
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

// apart drops specs that overlap an earlier one, so that one marker is one spec.
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

// Order sorts the specs of all files by rank of the file (nil for none), priority, path and
// position, and gives each a unique ID: duplicates get -2, -3 by path and position.
func Order(all []Spec, rank func(path string) int) []Spec {
	out := slices.Clone(all)
	sort.SliceStable(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.cut.from, b.cut.from)) < 0
	})
	wanted, taken := map[string]bool{}, map[string]bool{}
	for i := range out {
		out[i].ID = idOf(out[i])
		wanted[strings.ToLower(out[i].ID)] = true // branch names may be case-insensitive
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

// Activate removes the spec's marker from the content in which it was found.
func (s Spec) Activate(data []byte) []byte {
	out := make([]byte, 0, len(data))
	out = append(out, data[:s.cut.from]...)
	out = append(out, s.cut.text...)
	return append(out, data[s.cut.to:]...)
}

// PutBack restores a spec's marker in content that was derived from before, where the spec
// was found. It returns false if the place can no longer be found.
func (s Spec) PutBack(before, data []byte) ([]byte, bool) {
	marker := before[s.cut.from:s.cut.to]
	// The text right after the marker is the test itself, which must be unchanged.
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

// Place returns the line and text of the restored marker.
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
			continue // an empty text is no marker
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
