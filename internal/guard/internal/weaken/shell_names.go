package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// A shell script runs from top to bottom, and a variable in it is set for one command
// or from there on.

var (
	// oneCommand is a program behind variables that are set for it alone. A name
	// without a path could be a function, or one of those built in that keep them.
	oneCommand = pattern.Lazy(`^\s*(env\s+(\w+=("[^"]*"|'[^']*'|[^\s"'` + "`" + `;&|()<>])*\s+)+[\w./$"]|` +
		`(\w+=("[^"]*"|'[^']*'|[^\s"'` + "`" + `;&|()<>])*\s+)+"?(\$[\w{]|[\w.]*/))`)
	laterCommand = pattern.Lazy(`[;&|]\s*(export\s+|local\s+|declare\s+)?\w+\+?=`)
	sets         = pattern.Lazy(`^\s*((if|elif)\s+)?(!\s+)?(local\s+|export\s+)?(\w+)=`)
	shellLoop    = pattern.Lazy(`^\s*(for|while|until|select)\b`)
)

// forOneCommand tells a line whose variables are set for the program that it runs.
func (r *reading) forOneCommand(i int) bool {
	line := strings.TrimRight(r.new.Live[i], "\r\n")
	if begun, goesOn := strings.CutSuffix(line, `\`); goesOn && i+1 < len(r.new.Live) {
		line = begun + " " + strings.TrimSpace(r.new.Live[i+1])
	}
	return oneCommand().MatchString(line) && !laterCommand().MatchString(line)
}

// setBeforeRead tells a variable, set outside of functions, that what follows sets
// again before it reads it, and that no function has.
func (r *reading) setBeforeRead(b binding) bool {
	t := r.new
	if at := t.Outline.At[b.line]; b.member || at != nil && slices.ContainsFunc(append(source.Chain(at), at),
		func(a *source.Block) bool { return shellLoop().MatchString(a.Header) }) {
		return false
	}
	if m := sets().FindStringSubmatch(t.Live[b.line]); m == nil || m[5] != b.name {
		return false
	}
	known := false // by what follows
	for k := range t.Lines {
		if r.added[k] || !source.UsesOf([]string{source.WithoutDollars(t.Live[k])}).Alone[b.name] {
			continue
		}
		inFunction := false
		for a := t.Outline.At[k]; a != nil; a = a.Parent {
			inFunction = inFunction || a.Sort() == source.Function
		}
		switch m := sets().FindStringSubmatch(t.Live[k]); {
		case inFunction:
			return false
		case k < b.line || known:
		case m == nil || m[5] != b.name || !source.Within(t.Outline.At[b.line], t.Outline.At[k]):
			return false
		default:
			known = true
		}
	}
	return true
}
