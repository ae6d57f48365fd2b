package core

import (
	"maps"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// setRetried sets apart the failing tests of a stream that passed in the end, whoever has
// read them: the last result of a name counts. One of them must have failed in the end.
func (f *Result) setRetried(d *stream.Stream) {
	again, tails := map[string]bool{}, []string(nil)
	for _, x := range f.Failures[f.from:] {
		if key := NameKey(x.Test); key != "" {
			again[key], tails = false, append(tails, key[strings.LastIndexByte(key, ' ')+1:])
		}
	}
	if len(tails) == 0 || len(tails) > 100 {
		return
	}
	names := stream.NewMatcher(true, tails) // most lines are of other tests
	for i := range d.Lines {
		s := d.Lines[i].S
		if len(s) > 400 || !names.Match([]byte(s)) {
			continue
		}
		if m, ok := markOf(s); ok && m.said != skipped {
			key := NameKey(Qualified(m.name))
			if _, failing := again[key]; failing {
				again[key] = m.said == passed
			}
		}
	}
	if slices.Contains(slices.Collect(maps.Values(again)), false) {
		f.SetRetried(f.from, again)
	}
}

// SetRetried sets apart those of the failures from one on whose name is among these.
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
