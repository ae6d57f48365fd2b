package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
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
	laterCommand  = pattern.Lazy(`[;&|]\s*(export\s+|local\s+|declare\s+)?\w+\+?=`)
	sets          = pattern.Lazy(`^\s*(?:((if|elif)\s+)?(!\s+)?(local\s+|export\s+)?(\w+)=|for\s+(\w+)\s+in\b)`)
	namesVariable = pattern.Lazy(`\b(read|unset|export|local|declare|typeset|readonly|getopts|for|select|` +
		`mapfile|readarray|let|printf\s+-v|eval)\b|\(\(|\[\[|-v\s|\$\[`)
	shellLoop = pattern.Lazy(`^\s*(for|while|until|select)\b`)
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
		func(a *source.Block) bool { return shellLoop().MatchString(a.Header) && !r.added[a.Line] }) {
		return false
	}
	if !setsVariable(t.Live[b.line], b.name) {
		return false
	}
	known := false // by what follows
	for k := range t.Lines {
		if r.added[k] || !namesIt(t.Live[k], b.name) {
			continue
		}
		inFunction := false
		for a := t.Outline.At[k]; a != nil; a = a.Parent {
			inFunction = inFunction || a.Sort() == source.Function
		}
		switch {
		case inFunction:
			return false
		case k < b.line || known:
		case !setsVariable(t.Live[k], b.name) || !source.Within(t.Outline.At[b.line], t.Outline.At[k]):
			return false
		default:
			known = true
		}
	}
	return true
}

// setsVariable tells a line that begins by setting a variable.
func setsVariable(line, name string) bool {
	m := sets().FindStringSubmatch(line)
	return m != nil && m[5]+m[6] == name
}

// namesIt tells a line in which a word is a variable: behind a dollar, before a sign
// of equality, or among the words of a command that takes variables' names.
func namesIt(line, name string) bool {
	if !strings.Contains(line, name) || !source.UsesOf([]string{source.WithoutDollars(line)}).Alone[name] {
		return false
	}
	for _, m := range source.Ident().FindAllStringIndex(line, -1) {
		word, after := strings.TrimLeft(line[m[0]:m[1]], "$"), line[m[1]:]
		if word == name && (word != line[m[0]:m[1]] || m[0] > 0 && strings.ContainsRune("{#!$", rune(line[m[0]-1])) ||
			strings.HasPrefix(after, "=") || strings.HasPrefix(after, "+=")) {
			return true
		}
	}
	return namesVariable().MatchString(line)
}

var (
	// specOpen begins a group or a case of ShellSpec, or what else ends with End.
	specOpen = pattern.Lazy(`^\s*(?:Describe|Context|ExampleGroup|It|Specify|Example|Mock)\b|^\s*(?:Data|Parameters)(?::\w+)*\s*(?:\||$)`)
	specEnd  = pattern.Lazy(`^\s*End\s*$`)
)

// inSpecGroup tells a line within a group or a case of ShellSpec that a hunk adds whole:
// each is a shell of its own, and what it sets ends with it.
func (r *reading) inSpecGroup(h diff.Hunk, i int) bool {
	if r.lang.Name != "shell" || !strings.HasSuffix(r.path, "_spec.sh") {
		return false
	}
	depth, within := 0, false
	for k := h.From; k < h.To; k++ {
		line := strings.TrimRight(r.new.Code[k], "\r\n")
		within = within || k == i && depth > 0
		switch {
		case specOpen().MatchString(line):
			depth++
		case specEnd().MatchString(line):
			if depth--; depth == 0 && k > i {
				return within
			}
		}
		if depth < 0 || depth == 0 && k > i {
			return false
		}
	}
	return false
}
