package weaken

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var mutating = pattern.Lazy(`\b(\w+)\.(clear|pop|remove|delete|splice|shift|unshift|removeAll|drain|` +
	`truncate|retain|reverse|sort|update|fill|length\s*=|class_eval|instance_eval|define_method|` +
	`define_singleton_method|prepend|__setattr__|__dict__)\b`)

// scope is the innermost old block around a line of a hunk.
func (r *reading) scope(h diff.Hunk, i int) *source.Block {
	b := r.new.Outline.At[i]
	for b != nil && b.Line >= h.From && b.Line < h.To {
		b = b.Parent
	}
	return b
}

// usesIn gives the names that old lines use where a name bound in a scope after
// line i counts: the rest of the function, or else the whole file, and whether
// the scope is in a function.
func (r *reading) usesIn(scope *source.Block, i int) (used source.Uses, rest []string, inFunction bool) {
	inside := scope
	for inside != nil && inside.Sort() != source.Function {
		inside = inside.Parent
	}
	if inside == nil {
		return r.fileUses(), nil, false
	}
	t := r.new
	// A group of cases runs as a whole before its cases do, and functions are
	// known before their line.
	whole := source.Group().MatchString(inside.Header) ||
		r.lang.Name == "js" && strings.Contains(t.Code[i], "function ")
	for k := range t.Lines {
		if r.added[k] || k < i && !whole || k <= inside.Line {
			continue
		}
		if !t.Blank(k) && !source.Within(t.Outline.At[k], inside) {
			if k < i {
				continue
			}
			break
		}
		if r.lang.Name == "shell" { // commands stand in strings, as "$(cmd)"
			rest = append(rest, source.WithoutDollars(t.Live[k]))
			continue
		}
		rest = append(rest, t.Code[k])
	}
	return source.UsesOf(rest), rest, true
}

// checkNames objects to a name bound anew that old lines use: within a test that is
// another value, outside of it another function.
func (r *reading) checkNames(h diff.Hunk) Objection {
	t := r.new
	for i := h.From; i < h.To; i++ {
		isFunction, _, _, inHolder := r.inside(h, i)
		scope := r.scope(h, i)
		if isFunction || inHolder || t.Blank(i) ||
			scope != nil && (scope.Mark == "(" || scope.Mark == "[") && !isGoGroup(scope) {
			continue
		}
		if at := t.Outline.At[i]; at != scope && at != nil && at.Sort() == source.Container {
			continue // elements of an added literal
		}
		if r.ownScope(h, i) {
			continue
		}
		names, imports := source.Binds(r.lang, t.Code[i], t.Live[i])
		m := mutating().FindStringSubmatch(t.Code[i])
		if len(names) == 0 && m == nil {
			continue
		}
		used, rest, inFunction := r.usesIn(scope, i)
		if m != nil && used.Alone[m[1]] {
			return SetAside(fmt.Sprintf("The added line %q changes %s, which old lines of the test use.",
				diff.Shorten(t.Lines[i]), m[1]))
		}
		for _, name := range names {
			if name == "*" && !r.hasLine(t.Lines[i]) {
				return Refuse(fmt.Sprintf("The added line %q could redefine what old tests use.",
					diff.Shorten(t.Lines[i])))
			}
			root, member := strings.CutSuffix(name, ".")
			holder := scope != nil && scope.Sort() == source.Container
			clash := used.Alone[root] || holder && used.Member[root] ||
				(r.lang.Name == "ruby" || r.lang.Name == "shell") && used.Member[root]
			switch {
			case !clash || root == "_" || root == "":
			case imports && r.importsAlready(root, t.Live[i]):
			case r.lang.Name == "go" && scope == nil && !member && !universe[root]:
				// Twice in a package is an error of the compiler, not a trick.
			case holder && !inFunction && isCase(t.Code[i]) && !r.definedIn(scope, root):
			case (holder || scope == nil) && !inFunction && overloads[r.lang.Name] &&
				strings.Contains(t.Code[i], "(") && r.definedIn(scope, root):
				// Another form of a method that the class has.
			case inFunction && !member && setFirst(rest, root):
			default:
				why := fmt.Sprintf("The added line %q redefines or changes %s, which old lines of the test use.",
					diff.Shorten(t.Lines[i]), root)
				return Objection{Why: why, Aside: inFunction || isCase(t.Code[i])}
			}
		}
	}
	return Objection{}
}

// blockScoped are languages in which a declaration ends with its block, by how one
// begins.
var blockScoped = map[string]func() *pattern.Pattern{
	"js":   pattern.Lazy(`^\s*(const|let)\b|\bfor\s*\((const|let)\b`),
	"perl": pattern.Lazy(`^\s*my\b|\bfor(each)?\s+my\b`), "go": pattern.Lazy(`:=|^\s*var\b`),
	"rust":  pattern.Lazy(`^\s*let\b|^\s*for\b`),
	"swift": pattern.Lazy(`^\s*(let|var)\b`), "kotlin": pattern.Lazy(`^\s*(val|var)\b`),
	"lua": pattern.Lazy(`^\s*local\b`), "dart": cDeclared, "zig": pattern.Lazy(`^\s*(const|var)\b`),
	"c": cDeclared, "java": cDeclared, "csharp": cDeclared,
}

var cDeclared = pattern.Lazy(`^\s*(?:const\s+|final\s+|static\s+|struct\s+|unsigned\s+|` +
	`auto\s+)*[A-Za-z_][\w:.<>,\[\]?]*[\s*&]+[*&]*\w+(\[[^\]]*\])?\s*(=[^=].*)?[;,{]?\s*$|` +
	`\bfor\s*\(\s*[\w:<>]+[\s*&]+\w+\s*[=:]`)

// ownScope tells a declaration in a block that was added with it.
func (r *reading) ownScope(h diff.Hunk, i int) bool {
	re := blockScoped[r.lang.Name]
	if re == nil || !re().MatchString(strings.TrimRight(r.new.Code[i], "\r\n")) ||
		startsStatement().MatchString(r.new.Code[i]) {
		return false
	}
	if strings.Contains(r.new.Code[i], "for") && r.new.Outline.At[i+1] != r.new.Outline.At[i] {
		return true // a variable of the loop that the line begins
	}
	for b := r.new.Outline.At[i]; b != nil; b = b.Parent {
		if b.Line >= h.From && b.Line < h.To && b.Mark == "{" || b.Mark == "do" && b.Line >= h.From &&
			b.Line < h.To {
			return true
		}
	}
	return false
}

var startsStatement = pattern.Lazy(`^\s*(return|goto|delete|throw|else|case)\b`)

// overloads are languages in which functions of one name differ by what they take.
var overloads = map[string]bool{"java": true, "kotlin": true, "csharp": true, "c": true, "swift": true}

// universe are Go's own names that a package could redefine.
var universe = map[string]bool{"true": true, "false": true, "nil": true, "error": true, "panic": true,
	"len": true, "cap": true, "append": true, "recover": true,
	"string": true, "bool": true, "int": true, "int64": true, "byte": true, "rune": true, "float64": true,
	"any": true, "iota": true, "make": true, "new": true}

// isGoGroup tells the parentheses of a group of imports or declarations.
func isGoGroup(b *source.Block) bool {
	switch b.Header {
	case "import", "var", "const", "type":
		return b.Mark == "("
	}
	return false
}

func (r *reading) hasLine(line string) bool {
	for _, old := range r.old.Lines {
		if strings.TrimSpace(old) == strings.TrimSpace(line) {
			return true
		}
	}
	return false
}

// isCase tells a test method, whose name another class may have too.
func isCase(code string) bool {
	m := source.Declared().FindStringSubmatch(code)
	if m == nil {
		m = source.Method().FindStringSubmatch(strings.TrimRight(code, "\r\n"))
	}
	return m != nil && strings.HasPrefix(strings.ToLower(m[1]), "test")
}

// definedIn tells whether a name is declared directly in an old block.
func (r *reading) definedIn(b *source.Block, name string) bool {
	for i := range r.new.Lines {
		if r.new.Outline.At[i] != b {
			continue
		}
		if m := source.Declared().FindStringSubmatch(r.new.Code[i]); m != nil && m[1] == name {
			// The added line itself is one of these; two are a clash.
			for k := i + 1; k < len(r.new.Lines); k++ {
				if m := source.Declared().FindStringSubmatch(r.new.Code[k]); r.new.Outline.At[k] == b &&
					m != nil && m[1] == name {
					return true
				}
			}
		}
	}
	return false
}

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

// setFirst tells whether what follows sets a name before it reads it.
func setFirst(after []string, name string) bool {
	for _, line := range after {
		u := source.UsesOf([]string{line})
		if !u.Alone[name] && !u.Member[name] {
			continue
		}
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
		if at < 0 {
			return false
		}
		for _, n := range source.Assigned(line) {
			if n == name {
				return !source.UsesOf([]string{line[at:]}).Alone[name]
			}
		}
		return false
	}
	return true
}
