package weaken

import (
	"regexp"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// Which variable a name means is told by the blocks around it: one that a block declares
// for itself hides that of the blocks around, and no import means it.

// hidesOuter tells a variable that a block declares anew, where old lines of that block set
// the one around it: those below the block would miss what they set.
func (r *reading) hidesOuter(b binding) bool {
	t := r.new
	if b.scope == nil && r.lang.Name != "perl" || !r.declares(b.line) {
		return false
	}
	outer, sets := false, false
	var own *source.Block // a block of old lines with one of its own
	for k := range t.Code {
		at := t.Outline.At[k]
		if r.added[k] || !strings.Contains(t.Code[k], b.name) || own != nil && source.Within(at, own) ||
			!source.UsesOf(r.codeOf([]int{k})).Alone[b.name] {
			continue
		}
		switch own = nil; {
		case !source.Within(at, b.scope):
			outer = outer || source.Within(b.scope, at)
		case r.lang.Name == "perl" && at == b.scope && k < b.line:
			outer = true // a second variable of the block hides the first
		case k < b.line || sets:
		case !r.declares(k):
			sets = true
		case at == b.scope:
			return false
		default:
			own = at
		}
	}
	return outer && sets
}

// declares tells a line that declares a variable for its block.
func (r *reading) declares(i int) bool { return r.declared(i) != nil }

var (
	byWord  = pattern.Lazy(`^\s*(?:let|var|val|my|local)\s+(?:mut\s+)?`)
	itsType = pattern.Lazy(`:[^,]*`)
	// behindType are languages in which a variable stands behind its type.
	behindType    = map[string]bool{"c": true, "dart": true, "java": true, "csharp": true}
	declaresOther = pattern.Lazy(`^\s*(?:local\s+function|for)\b`)
	sigiled       = pattern.Lazy(`[A-Za-z_$@%]\w*`)
	// byParts are variables that C++ makes with a value in brackets, and those that are
	// made of the parts of a value.
	byParts = pattern.Lazy(`^\s*(?:const\s+)?(?:[A-Za-z_][\w:<>]*[\s*&]+\w+\s*(\([^()]*\)\s*)$|auto\s*&*\s*\[|(?:var|final)\s*\()`)
	// qualifiers are words before the type of a variable.
	qualifiers = pattern.Lazy(`^\s*(?:(?:late|unsigned|volatile|register|long|short|signed|thread_local|constexpr)\s+)+(\w+[\s*&]+\w)`)
)

// declared are the variables that a line declares for its block without a sign of equality;
// there are none at all, not even an empty list, where it declares nothing.
func (r *reading) declared(i int) (names []string) {
	re, cLike := blockScoped[r.lang.Name], r.lang.Name == "c" || r.lang.Name == "dart"
	if re == nil {
		return nil
	}
	for _, piece := range strings.FieldsFunc(r.new.Code[i], func(c rune) bool { return strings.ContainsRune(";{}\r\n", c) }) {
		m := byParts().FindStringSubmatch(piece)
		if startsStatement().MatchString(piece) || (m == nil || !cLike) &&
			!re().MatchString(qualifiers().ReplaceAllString(piece, "$1")) {
			continue
		}
		if names == nil {
			names = []string{}
		}
		if m != nil {
			piece = strings.TrimSuffix(piece, m[1])
		}
		word := byWord().FindString(piece)
		if word == "" && !behindType[r.lang.Name] || declaresOther().MatchString(piece) {
			continue // a function, a type or a loop
		}
		if piece = piece[len(word):]; word != "" {
			piece = itsType().ReplaceAllString(piece, "")
		}
		for _, part := range strings.Split(piece, ",") {
			part, _, _ = strings.Cut(part, "[")
			if words := sigiled().FindAllString(part, -1); len(words) > 0 && !strings.Contains(part, "=") {
				if word == "" {
					words = words[len(words)-1:]
				}
				names = append(names, words[0])
			}
		}
	}
	return names
}

// copiesForRound tells, in Go, a variable of a loop over a range that the first line in it
// copies for the round: old lines see the same value, and none sees it behind the round.
func (r *reading) copiesForRound(b binding) bool {
	at := r.new.Outline.At[b.line]
	if r.lang.Name != "go" || at == nil || at != b.scope || strings.TrimSpace(r.new.Code[b.line]) != b.name+" := "+b.name {
		return false
	}
	above, _ := r.new.Around(b.line, b.line)
	return above == at.Line && regexp.MustCompile(`^for (\w+, )?`+b.name+`(, \w+)? := range `).MatchString(at.Header)
}

// isOfFunctions tells, in Rust, a name that every old line means by a variable of its
// function, or by an import in it: those come before an import of the file.
func (r *reading) isOfFunctions(name string) bool {
	use := regexp.MustCompile(`(\.\.|::|\.)?\s*\b` + name + `\b\s*(::|!=|[:!])?`)
	bind := regexp.MustCompile(`^\s*(?:use\b.*\b` + name + `\s*[,;}]|let\b[^:={]*\b` + name + `\b\s*(?::[^:]|[^:!\s]|$))`)
	taken := regexp.MustCompile(`\bfn\b.*\b` + name + `\s*:[^:]`)
	isOf := func(k int, isPath bool) bool {
		for at := r.new.Outline.At[k]; at != nil; at = at.Parent {
			for j := at.Line + 1; j < len(r.new.Code); j++ {
				if code := r.new.Code[j]; strings.Contains(code, name) && r.new.Outline.At[j] == at && !r.added[j] &&
					(!strings.Contains(code, "let") || !isPath && j < k) && bind.MatchString(code) {
					return true
				}
			}
			if strings.Contains(" "+at.Header, " fn ") { // no variable reaches into it
				return !isPath && taken.MatchString(at.Header)
			}
		}
		return false
	}
	for k, code := range r.new.Code {
		if r.added[k] {
			continue
		}
		for n, m := range use.FindAllStringSubmatch(code, -1) {
			switch isPath := m[2] == "::"; {
			case m[1] == "::", m[1] == ".", m[2] == ":", n == 0 && !isPath && bind.MatchString(code): // it binds the name
			case m[2] == "!", itemOfFunction().MatchString(code), !isOf(k, isPath):
				return false
			}
		}
	}
	return true
}

// itemOfFunction has no access to the variables of the function that it stands in.
var itemOfFunction = pattern.Lazy(`^\s*(const|static|type|struct|enum|impl|trait)\b`)
