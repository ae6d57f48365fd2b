package core

import (
	"maps"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// setRetried separates the failing tests of a stream that passed in the end, whichever
// reader found them: the last result of a name counts.
func (f *Result) setRetried(d *stream.Stream) {
	tails, odd := map[string]bool{}, false // odd: a key is not as lines have it
	for _, x := range f.Failures[f.from:] {
		tails[lastWord(NameKey(x.Test))] = true
		odd = odd || strings.ContainsFunc(x.Test, func(c rune) bool { return c > 0x7e || strings.ContainsRune("\"'`", c) })
	}
	if delete(tails, ""); len(tails) == 0 {
		return
	}
	var names *stream.Matcher
	if len(tails) <= 100 && !odd { // most lines are of other tests
		names = stream.NewMatcher(true, slices.Collect(maps.Keys(tails)))
	}
	last := map[string]verdict{} // by name, of lines with a mark
	seen := map[string]bool{}    // it has failed before it passed
	good, bad := -1, -1          // the last line that tells a pass of such a name, or a failure of any
	for i := range d.Lines {
		s := d.Lines[i].S
		if len(s) > 400 || len(s) < 3 {
			continue
		}
		if strings.HasPrefix(s, "FAIL") {
			bad = i
		}
		if names != nil && !names.Match([]byte(s)) {
			continue
		}
		m, ok := markOf(s)
		if !ok || m.said == skipped {
			continue
		}
		key := NameKey(Qualified(m.name))
		if seen[key] = seen[key] || m.said == failed; m.said == failed {
			bad = i
		} else if seen[key] {
			good = i
		}
		last[key] = m.said
	}
	again := map[string]bool{}
	for key, said := range last {
		again[key] = said == passed && seen[key]
	}
	left := slices.ContainsFunc(f.Failures[f.from:], func(x Failure) bool { return x.Test != "" && !again[NameKey(x.Test)] })
	if left || bad < good { // else one of them must have failed, which ran several times
		f.SetRetried(f.from, again)
	}
}

// SetRetried separates those of the failures from index from on that have one of the names.
func (f *Result) SetRetried(from int, names map[string]bool) {
	if len(names) == 0 {
		return
	}
	all := slices.Clone(f.Failures[from:])
	f.Failures = append(f.Failures[:from], slices.DeleteFunc(all, func(x Failure) bool {
		again := x.Test != "" && names[NameKey(x.Test)]
		if again {
			x.Kind = KindRetry
			f.Retried = append(f.Retried, x)
		}
		return again
	})...)
}

func lastWord(key string) string { return key[strings.LastIndexByte(key, ' ')+1:] }
