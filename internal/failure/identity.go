package failure

import (
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
)

// ID says which test it is. A name alone does not: two files may each have a test of it.
type ID struct {
	// Check is the test command that ran it.
	Check string `json:"check,omitempty"`
	// Place is its file or program, "" where the name says it already, or nothing does.
	Place string `json:"place,omitempty"`
	Name  string `json:"name"`
	// Nth is its place in order among those of one place and name, from 1; 0 where it is
	// the only one, or the order is not known.
	Nth int `json:"nth,omitempty"`
}

// ID is that of the test that failed.
func (f Failure) ID() ID { return ID{Check: f.Check, Place: f.Place, Name: f.Test, Nth: f.Nth} }

// Same reports whether two are of one test, as far as both know it.
func (i ID) Same(j ID) bool {
	return i.Check == j.Check && i.Name == j.Name && alike(i.Place, j.Place) && alike(i.Nth, j.Nth)
}

// alike reports whether two values are equal, or one of them is not known.
func alike[T comparable](a, b T) bool {
	var unknown T
	return a == b || a == unknown || b == unknown
}

// Among reports whether the test is one of some.
func (i ID) Among(ids []ID) bool { return slices.ContainsFunc(ids, i.Same) }

// Function is the test that a case of it belongs to.
func (i ID) Function() ID {
	if whole := FunctionOf(i.Name); whole != i.Name {
		i.Name, i.Nth = whole, 0
	}
	return i
}

// FunctionOf is the name of the test that a case belongs to: Go's TestA/row, pytest's
// test_a[row].
func FunctionOf(name string) string {
	from := max(strings.LastIndex(name, ".Test"), 0)     // a Go package has slashes of its own
	if i := strings.IndexByte(name[from:], '['); i > 0 { // unittest has a blank before it
		return strings.TrimRight(name[:from+i], " ")
	}
	if i := strings.IndexByte(name[from:], '/'); i > 0 && (from > 0 || strings.HasPrefix(name, "Test")) {
		return name[:from+i]
	}
	return name
}

// IDs are the tests that failures name, each once.
func IDs(failures []Failure) []ID {
	var ids []ID
	seen := map[ID]bool{}
	for _, f := range failures {
		if id := f.ID(); id.Name != "" && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// Names are those of some tests, each once. Where several share a name, or others that are
// told beside them do, their places tell them apart.
func Names(ids []ID, beside ...ID) []string {
	namesakes := map[string][]ID{}
	for _, id := range slices.Concat(ids, beside) {
		namesakes[id.Name] = append(namesakes[id.Name], id)
	}
	names, seen := []string{}, map[string]bool{}
	for _, id := range ids {
		name := id.Name
		if slices.ContainsFunc(namesakes[name], func(o ID) bool { return !o.Same(id) }) {
			name = id.String()
		}
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// String is the name with its place.
func (i ID) String() string {
	var at []string
	if i.Place != "" && !strings.HasPrefix(i.Name, i.Place) {
		at = append(at, i.Place)
	}
	if i.Nth > 0 {
		at = append(at, "no. "+strconv.Itoa(i.Nth))
	}
	if len(at) == 0 {
		return i.Name
	}
	return i.Name + " (" + strings.Join(at, ", ") + ")"
}

// Identify gives failures the places and the order of their tests, by the tests that ran. It
// returns those that failed and of which there is no failure.
func Identify(failures []Failure, ran testreport.Run) (untold testreport.Run) {
	count, nth := map[string]int{}, make([]int, len(ran))
	for i, t := range ran {
		count[t.Key()]++
		nth[i] = count[t.Key()]
	}
	used := make([]bool, len(ran))
	for f := range failures {
		i := best(failures[f], ran, used)
		if i < 0 {
			continue
		}
		used[i] = true
		if failures[f].Place = ran[i].PlaceOf(failures[f].Test); count[ran[i].Key()] > 1 {
			failures[f].Nth = nth[i]
		}
	}
	leaf := ran.Leaf()
	for i, t := range ran {
		if t.Outcome == testreport.Failed && !used[i] && leaf[i] {
			untold = append(untold, t)
		}
	}
	return untold
}

// best is the failed test that a failure is of: one of its file, else the first that no
// other failure is of; -1 where there is none. Several messages may be of one test.
func best(f Failure, ran testreport.Run, used []bool) int {
	at, score := -1, 0
	for i, t := range ran {
		if t.Outcome != testreport.Failed || f.Test == "" || !NamedIn(f.Test, []string{t.Name}) {
			continue
		}
		s := 1
		if !used[i] {
			s++
		}
		if t.File != "" && f.passes(t.File) {
			s += 2
		}
		switch {
		case t.Name == f.Test:
			s += 4
		case strings.HasSuffix(" "+plain(t.Name), " "+plain(f.Test)): // but for what holds it
			s += 3
		}
		if s > score {
			at, score = i, s
		}
	}
	return at
}

// passes reports whether a failure comes by a file.
func (f Failure) passes(file string) bool {
	return f.File == file || slices.ContainsFunc(f.Frames, func(at Frame) bool { return at.File == file })
}
