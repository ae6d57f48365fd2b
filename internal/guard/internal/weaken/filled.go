package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// A name that an added line binds means nothing to old lines that set it again before
// they read it.

// cDeclaration is a variable that is declared and not yet set.
var cDeclaration = pattern.Lazy(`^\s*(?:[A-Za-z_]\w*[\s*]+)+(\w+)\s*(?:\[[^\]]*\])?\s*;`)

var loopSets = pattern.Lazy(`\bfor\s*\(\s*(?:\w+\s+)*(\w+)\s*=[^=]`)

var comparing = pattern.Lazy(`(?i)cmp|assert|equal|expect|check|require|verify|same|test|print|free|` +
	`cond|==|!=|[^&]&&|\|\|`)

// filled tells a line that hands a name over for a call to fill, and compares nothing.
func filled(line, name string) bool {
	_, rest, is := strings.Cut(line, "&"+name)
	return is && (rest == "" || !lexer.IsWord(rest[0]) && rest[0] != '.' && rest[0] != '-') &&
		!comparing().MatchString(line)
}

// fillsAgain tells, in C, a call that is handed a name to fill, where the next old line
// with that name hands it to the same function, and reads nothing of it.
func (r *reading) fillsAgain(b binding, after []string) bool {
	by := filler(r.new.Code[b.line], b.name)
	if r.lang.Name != "c" || by == "" || source.Assignment(r.new.Code[b.line]) >= 0 {
		return false
	}
	for _, line := range after {
		if u := source.UsesOf([]string{line}); u.Alone[b.name] || u.Member[b.name] {
			return filler(line, b.name) == by && source.Assignment(line) < 0
		}
	}
	return true
}

// filler is the function that a line hands a name to, by its place, where the line has that
// name but once and no condition of its own.
func filler(line, name string) string {
	at := strings.Index(line, "&"+name)
	if at < 0 || strings.Count(line, name) != 1 || strings.ContainsAny(line, "?{}") ||
		strings.Contains(line, "||") || strings.Contains(line, "&&") ||
		startsStatement().MatchString(line) || controlHead().MatchString(line) {
		return ""
	}
	end := line[at+1+len(name):]
	if end == "" || end[0] != ')' && end[0] != ',' {
		return ""
	}
	depth := 0
	for i := at - 1; i >= 0; i-- {
		switch line[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth < 0 {
				words := source.Ident().FindAllString(line[:i], -1)
				if len(words) == 0 || !strings.HasSuffix(line[:i], words[len(words)-1]) {
					return ""
				}
				return words[len(words)-1]
			}
		}
	}
	return ""
}

// callsApart are languages in which a name before a bracket is never a variable.
var callsApart = map[string]bool{"elixir": true, "ruby": true}

// A label or a clause begins another part of the block that it stands in, which runs in
// the place of those above. In some languages those run into it.
var (
	label    = pattern.Lazy(`^\s*(case\b|default\s*:)`)
	clause   = pattern.Lazy(`^\s*(when|else|elsif|elif|elseif|rescue)\b`) // where a word ends the block
	anyway   = pattern.Lazy(`^(\}\s*)?(try|with|using|lock|synchronized|begin|finally)\b`)
	runsInto = map[string]bool{"c": true, "java": true, "csharp": true, "js": true, "php": true, "dart": true}
)

// setFirst tells whether what follows sets a name before it reads it, whatever the
// conditions there say.
func (r *reading) setFirst(b binding, after []int) bool {
	var own, passed *source.Block // a block that has set it for itself; one of which another part has begun
	for n, line := range r.codeOf(after) {
		at := r.new.Outline.At[after[n]]
		if r.beginsClause(after[n]) && source.Within(b.scope, at) {
			passed = at
		}
		other := passed != nil && source.Within(at, passed)
		if own != nil && source.Within(at, own) || other && !runsInto[r.lang.Name] {
			continue
		}
		if callsApart[r.lang.Name] {
			line = strings.ReplaceAll(line, " "+b.name+"(", " (")
		}
		own = nil
		switch u := source.UsesOf([]string{line}); {
		case !u.Alone[b.name] && !u.Member[b.name]:
		case !setsOnly(line, b.name):
			return false
		case !other && r.alwaysRuns(after[n], b.scope):
			return true
		case !source.Within(b.scope, at):
			own = at
		}
	}
	return true
}

// alwaysRuns tells a line that stands under no condition but those around a block.
func (r *reading) alwaysRuns(i int, scope *source.Block) bool {
	for b := r.new.Outline.At[i]; b != nil && !source.Within(scope, b); b = b.Parent {
		if sort := b.Sort(); sort == source.Loop || sort == source.Condition && !anyway().MatchString(b.Header) {
			return false
		}
	}
	code := strings.TrimRight(r.new.Code[i], "\r\n")
	if r.lang.Name == "go" || loopSets().MatchString(code) {
		return true
	}
	above, _ := r.new.Around(i, i)
	return !controlHead().MatchString(code) && !(r.lang.Ends && modifier().MatchString(code)) &&
		(above < 0 || r.lang.Indent || r.lang.Ends ||
			!braceless().MatchString(strings.TrimRight(r.new.Code[above], " \t\r\n")))
}

// setsOnly tells a line with a name in it that sets that and does not read it.
func setsOnly(line, name string) bool {
	if filled(line, name) {
		return true
	}
	if m := loopSets().FindStringSubmatch(line); m != nil && m[1] == name {
		return true
	}
	if m := cDeclaration().FindStringSubmatch(line); m != nil && m[1] == name &&
		!source.Controls[source.Ident().FindString(line)] {
		return true
	}
	at := source.Assignment(line)
	return at >= 0 && slices.Contains(source.Assigned(line), name) &&
		!source.UsesOf([]string{line[at:]}).Alone[name]
}

// eachRound is what a loop sets anew in each of its rounds.
var eachRound = pattern.Lazy(`\bfor(?:each)?\b\s*(.*?)\s*(?:\bin\b|\bof\b|:?=\s*range\b|\s:\s)`)

// readNextRound tells a name bound in an old loop, one that old lines of the loop above it
// read before they set it: in the next round they have another value.
func (r *reading) readNextRound(b binding) bool {
	t := r.new
	var loop *source.Block
	for at := b.scope; at != nil && at.Sort() != source.Function; at = at.Parent {
		if at.Sort() == source.Loop && !r.added[at.Line] {
			loop = at
		}
	}
	if loop == nil || r.lang.Name == "shell" {
		return false
	}
	used := func(k int) bool { return source.UsesOf(r.codeOf([]int{k})).Alone[b.name] }
	if m := eachRound().FindStringSubmatch(t.Code[loop.Line]); m != nil {
		if source.UsesOf([]string{m[1]}).Alone[b.name] {
			return false
		}
	} else if used(loop.Line) && !b.member {
		return true
	}
	var above []int
	for k := loop.Line + 1; k < b.line; k++ {
		if !r.added[k] && !t.Blank(k) {
			above = append(above, k)
		}
	}
	return slices.ContainsFunc(above, used) && !r.setFirst(b, above)
}
