package weaken

import (
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// standsAmongRows tells rows, or whole blocks, beside one of their kind, which bind nothing to old lines.
func (a *forms) standsAmongRows(h diff.Hunk, n, last, before, after int) bool {
	t := a.new
	code := func(i int) string { return strings.TrimRight(t.Code[i], " \t\r\n") }
	if before < 0 || after < 0 || width(code(after)) > n || goesOn().MatchString(code(after)) && !startsRow(code(after)) {
		return false
	}
	sibling := before
	for sibling >= 0 && (t.Blank(sibling) || width(code(sibling)) > n || width(code(sibling)) == n && closesForm().MatchString(code(sibling))) {
		sibling--
	}
	if a.lang == "clojure" && a.requiresOnly(h, before) {
		return true
	}
	kinds := map[string]bool{}
	if sibling >= 0 && width(code(sibling)) == n {
		kinds[a.kindOf(code(sibling))] = true
	}
	if width(code(after)) == n && !closesForm().MatchString(code(after)) {
		kinds[a.kindOf(code(after))] = true
	}
	delete(kinds, "")
	for i := h.From; i <= last; i++ {
		switch line := code(i); {
		case t.Blank(i):
		case width(line) < n:
			return false
		case width(line) == n && !closesForm().MatchString(line):
			if runsAround().MatchString(line) || !a.isRow(line, n, kinds, h) && !a.opensAsOld(i, last) {
				return false
			}
		case ownVariable().MatchString(line) && a.lang != "julia": // of the block that was added
		default:
			name := boundBy(line)
			if least, is := a.bound[name]; is && least <= n && (a.lang != "julia" || !a.boundAgain(name, h.To, n)) {
				return false
			}
		}
	}
	return a.endsAlike(code(before), code(last), sibling == before && width(code(after)) < n, n)
}

var (
	requireRow  = pattern.Lazy(`^\s*(?:\[[\w.-]+\s+:as\s+([\w.-]+)\]|[\[(]?(?:[\w.-]+\.[\w.-]+\s+)?([A-Z]\w*)[\])]?)\s*$`)
	requireList = pattern.Lazy(`^\s*(?:\(:(?:require|import)\s+)?(?:\[[\w.-]+(?:\s+:\w.*)?\]|[\[(]?(?:[\w.-]+\.[\w.-]+(?:\s+|$))?(?:[A-Z]\w*\s*)*[\])]?)\s*$`)
)

// requiresOnly tells rows of Clojure's by which modules get names that no old line has.
func (a *forms) requiresOnly(h diff.Hunk, before int) bool {
	for i := h.From; i < h.To; i++ {
		m := requireRow().FindStringSubmatch(strings.TrimRight(a.new.Code[i], "\r\n"))
		if !a.new.Blank(i) && (m == nil || a.words[m[1]+m[2]]) {
			return false
		}
	}
	return requireList().MatchString(strings.TrimRight(a.new.Code[before], "\r\n"))
}

// ownVariable declares one for the block around it.
var ownVariable = pattern.Lazy(`^\s+(?:let|var|val|const)\s`)

// isRow tells a line of a kind that is beside it, or, of statements, one that old lines have as far from
// the margin, or that binds what no old line sees.
func (a *forms) isRow(line string, n int, kinds map[string]bool, h diff.Hunk) bool {
	name, kind := boundBy(line), a.kindOf(line)
	switch {
	case name == "":
		return kinds[kind] || statements[a.lang] && kind != "" && a.kinds[row{n, kind}]
	case !statements[a.lang]:
		return false
	}
	if least, is := a.bound[name]; is {
		return least > n || a.boundAgain(name, h.To, n)
	}
	return !a.words[name]
}

// boundAgain tells whether the old lines below, up to the next form where these stand within one, bind
// a name before they use it.
func (a *forms) boundAgain(name string, from, n int) bool {
	if n == 0 && slices.ContainsFunc(a.old.Code, func(code string) bool { // a function could see it
		return width(code) > 0 && slices.Contains(a.wordsOf(code), name)
	}) {
		return false
	}
	for _, code := range a.new.Code[from:] {
		if n > 0 && width(code) == 0 && strings.TrimSpace(code) != "" {
			break
		}
		words := a.wordsOf(code)
		if n := slices.Index(words, name); n >= 0 {
			return boundBy(code) == name && !slices.Contains(words[n+1:], name)
		}
	}
	return true
}

// opensAsOld tells the head of a block of a kind that old lines open as far from the margin.
func (a *forms) opensAsOld(i, last int) bool {
	code := a.new.Code[i]
	kind := a.kindOf(code)
	_, next := a.new.Around(i+1, i+1)
	return next >= 0 && next <= last && width(a.new.Code[next]) > width(code) &&
		(kind != "" && a.kinds[row{width(code), kind}] || statements[a.lang] && opensOwn().MatchString(code))
}

// opensOwn begins a block of statements, of which these languages are made.
var (
	opensOwn   = pattern.Lazy(`^\s*(?:for|let|begin|if|with|foreach)\b`)
	statements = map[string]bool{"julia": true, "nim": true, "coffee": true, "powershell": true, "r": true}
)

// objects says what speaks against lines that are read as in other languages.
func (a *forms) objects(h diff.Hunk) Objection {
	t := a.new
	first := -1
	for i := h.From; i < h.To && first < 0; i++ {
		if !t.Blank(i) {
			first = i
		}
	}
	if first < 0 {
		return Objection{}
	}
	n := width(t.Code[first])
	a.to = h.To
	for i := first; i < h.To; i++ {
		code := t.Code[i]
		n = min(n, width(code))
		if t.Blank(i) {
			continue
		}
		words := a.wordsOf(code)
		if m := takesInJulia().FindStringSubmatch(strings.TrimRight(code, "\r\n")); a.lang == "julia" && m != nil &&
			slices.ContainsFunc(a.wordsOf(m[1]), func(w string) bool { return a.words[w] }) {
			return Refuse(fmt.Sprintf("The added line %q could change what old tests do.", diff.Shorten(t.Lines[i])))
		}
		margin := width(code) == 0 && !closesForm().MatchString(code) && len(words) > 0 && !brings().MatchString(words[0]) &&
			!a.isNewForm(i)
		if margin || spoils().MatchString(code) || a.endsAll(code, n) || a.reachesOut(i) ||
			width(code) == n && runsAround().MatchString(code) {
			return Refuse(fmt.Sprintf("The added line %q could change what old tests do.", diff.Shorten(t.Lines[i])))
		}
	}
	before, after := t.Around(h.From, h.To)
	if !a.isBalanced(h) || n == 0 && !a.partsNoFunction(before, after) {
		return SetAside(fmt.Sprintf("The lines from %q "+notWhole+".", diff.Shorten(t.Lines[first])))
	}
	return Objection{}
}

// takesInJulia names what is taken from a module.
var takesInJulia = pattern.Lazy(`^\s*(?:using|import)\s+[\w.]+\s*:(.*)$`)

// startsRow tells a row that begins with the comma before it.
func startsRow(code string) bool { return strings.HasPrefix(strings.TrimSpace(code), ",") }

// endsAlike tells whether what is added ends as a line in its place must: as the one before it, or,
// behind the head of a block, as one that others follow.
func (a *forms) endsAlike(before, last string, atEnd bool, n int) bool {
	mark := func(code string) string {
		code = strings.TrimSpace(code)
		if code == "" {
			return ""
		}
		if c := code[len(code)-1:]; strings.Contains(",;.", c) {
			return c
		}
		return ""
	}
	if width(before) < n { // it opens the block
		return a.lang != "erlang" && a.lang != "ocaml" && !unfinished().MatchString(last) && mark(before) == "" ||
			a.lang == "erlang" && mark(last) == "," && !atEnd
	}
	if startsRow(last) || mark(before) == "" && !unfinished().MatchString(before) && mark(last) == "" {
		return !unfinished().MatchString(last) && (a.lang != "ocaml" || startsRow(last))
	}
	return mark(before) != "" && mark(before) != "." && mark(last) == mark(before)
}

// kindOf is by what a row is told from others: the sign and the word that it begins with.
func (a *forms) kindOf(code string) string {
	code = strings.TrimSpace(code)
	words := a.wordsOf(code)
	sign := strings.TrimRight(code[:len(code)-len(strings.TrimLeft(code, `([{,<"'`))], " ")
	if len(words) == 0 {
		return sign + `"`
	}
	if bare := strings.Trim(code, ", "); len(bare) < len(code) && bare == words[0] {
		return sign + "a name" // in a list of them
	}
	if brings().MatchString(words[0]) || declaresForm().MatchString(words[0]) {
		return ""
	}
	if at := strings.Index(code, words[0]); at > len(sign)+1 { // a text or a number stands first
		return sign + code[len(sign):len(sign)+1]
	}
	return sign + words[0]
}
