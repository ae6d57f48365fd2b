package weaken

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
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

// codeOf gives the code of lines, as names are told in it.
func (r *reading) codeOf(lines []int) (code []string) {
	for _, k := range lines {
		line := r.new.Code[k]
		if r.lang.Name == "shell" { // commands stand in strings, as "$(cmd)"
			line = source.WithoutDollars(r.new.Live[k])
		}
		code = append(code, line)
	}
	return code
}

// usesOutside gives the names that old lines use where one bound outside of
// functions counts: in its module where it can be named from elsewhere by a path
// alone, else in the whole file.
func (r *reading) usesOutside(scope *source.Block) source.Uses {
	if r.lang.Name != "rust" || scope == nil || !rustModule().MatchString(scope.Header) {
		return r.fileUses()
	}
	var lines []string
	for k, code := range r.new.Code {
		if !r.added[k] && source.Within(r.new.Outline.At[k], scope) {
			lines = append(lines, code)
		}
	}
	return source.UsesOf(lines)
}

// A macro may take constants among the fields of a struct: its own, without a type.
var (
	rustConstant = pattern.Lazy(`^\s*const\s+\w+\s*=`)
	rustStruct   = pattern.Lazy(`^(?:pub(?:\([^)]*\))?\s+)?struct\s+(\w+)`)
)

// rustFile is a module, which nothing but a path means.
var rustFile = pattern.Lazy(`^\s*(pub(\([^)]*\))?\s+)?mod\s+\w+\s*[;{]`)

var rustModule = pattern.Lazy(`^(pub(\([^)]*\))?\s+)?mod\s+\w+`)

// checkNames objects to a name bound anew that old lines use: within a test that is
// another value, outside of it another function.
func (r *reading) checkNames(h diff.Hunk) Objection {
	if strings.HasSuffix(r.path, ".feature") {
		return r.insideText(h)
	}
	for i := h.From; i < h.To; i++ {
		if o := r.takesFromShared(i); o.Why != "" {
			return o
		}
		if scope := r.scope(h, i); r.bindsForOld(h, i, scope) {
			if o := r.checkBindings(i, scope); o.Why != "" {
				return o
			}
		}
	}
	return Refuse(r.shadowsMethod(h))
}

// insideText objects to a line of a text that an old step of Cucumber has; names mean
// nothing in its prose.
func (r *reading) insideText(h diff.Hunk) Objection {
	inside := false
	for _, line := range r.new.Lines[:h.From] {
		trimmed := strings.TrimSpace(line)
		inside = inside != (strings.HasPrefix(trimmed, `"""`) || strings.HasPrefix(trimmed, "```"))
	}
	if !inside {
		return Objection{}
	}
	return SetAside(fmt.Sprintf("The line %q is added inside an old string of the test.",
		diff.Shorten(r.new.Lines[h.From])))
}

// bindsForOld tells an added line whose names old lines could mean: it stands in no
// block that was added, and in no list.
func (r *reading) bindsForOld(h diff.Hunk, i int, scope *source.Block) bool {
	t := r.new
	isFunction, _, _, inHolder := r.inside(h, i)
	if r.inMemberOfBasic(h, i) {
		return false
	}
	if !isFunction && !t.Blank(i) && r.reopens(h, t.Outline.At[i]) {
		return true
	}
	if isFunction || inHolder || t.Blank(i) || r.beginsCase(i) || r.inCaseOfNewType(h, scope) || r.inMacro(h, i) ||
		r.inSpecGroup(h, i) || scope != nil && (scope.Mark == "(" || scope.Mark == "[") && !isGoGroup(scope) {
		return false
	}
	if at := t.Outline.At[i]; at != scope && at != nil && at.Sort() == source.Container {
		return false // elements of an added literal
	}
	if i > h.From && r.lang.Name == "csharp" && strings.HasSuffix(strings.TrimSpace(t.Code[i-1]), "=>") {
		return false // the body of an added function
	}
	return !r.ownScope(h, i)
}

var (
	basicHead = pattern.Lazy(`(?i)^\s*(?:(?:public|private|protected|friend|shared|async|overrides|overridable)\s+)+(?:sub|function)\s+\w+`)
	basicEnd  = pattern.Lazy(`(?i)^\s*end\s+(?:sub|function)\s*$`)
	basicDim  = pattern.Lazy(`(?i)^\s*dim\s`)
)

// inMemberOfBasic tells a variable that is declared in a function of Visual Basic which was
// added from its head to its end.
func (r *reading) inMemberOfBasic(h diff.Hunk, i int) bool {
	if !strings.HasSuffix(r.path, ".vb") || !basicDim().MatchString(r.new.Lines[i]) {
		return false
	}
	line := func(k int) string { return strings.TrimRight(r.new.Lines[k], "\r\n") }
	from, to := i, i
	for from >= h.From && !basicHead().MatchString(line(from)) {
		if basicEnd().MatchString(line(from)) {
			return false
		}
		from--
	}
	for to < h.To && !basicEnd().MatchString(line(to)) {
		to++
	}
	return from >= h.From && to < h.To
}

// reopened is the head of a type to which members may be added from elsewhere.
var reopened = map[string]func() *pattern.Pattern{
	"swift":  pattern.Lazy(`\bextension\s+([\w.]+)`),
	"ruby":   pattern.Lazy(`^(?:class|module)\s+([\w:]+)`),
	"csharp": pattern.Lazy(`\bpartial\s+class\s+(\w+)`),
}

// reopens tells an added block that gives more members to a type of old lines, or to that
// which all cases have as their parent.
func (r *reading) reopens(h diff.Hunk, b *source.Block) bool {
	re := reopened[r.lang.Name]
	if re == nil || b == nil || b.Line < h.From || b.Line >= h.To {
		return false
	}
	m := re().FindStringSubmatch(b.Header)
	if m == nil {
		return false
	}
	if around := b.Parent; r.lang.Name == "ruby" && !strings.HasPrefix(m[1], "::") && around != nil &&
		around.Line >= h.From && re().MatchString(around.Header) && !r.reopens(h, around) {
		return false // within a type that is new, it is another, whatever its name
	}
	name := m[1][strings.LastIndexAny(m[1], ".:")+1:]
	return name == "XCTestCase" || slices.ContainsFunc(r.old.Code, func(code string) bool {
		d, again := source.Declared().FindStringSubmatch(code), re().FindStringSubmatch(code)
		if r.lang.Name == "swift" && again != nil {
			return again[1] == m[1]
		}
		return d != nil && d[1] == name
	})
}

// elixirCase is the head of a case, whose names are bound within it.
var elixirCase = pattern.Lazy(`^\s*(test|property)\s+".*\bdo\s*$`)

// elixirHead is the first line of such a head that goes on below.
var elixirHead = pattern.Lazy(`^\s*(test|property)\s+".*,\s*$`)

// beginsCase tells a line of such a head.
func (r *reading) beginsCase(i int) bool {
	if r.lang.Name != "elixir" {
		return false
	}
	b := r.new.Outline.At[i+1]
	if b != nil && b.Line == i && elixirCase().MatchString(b.Header) {
		return true
	}
	for i--; i > 0 && r.added[i] && hasSuffix(strings.TrimSpace(r.new.Code[i]), ",", "="); i-- {
		if elixirHead().MatchString(r.new.Code[i]) {
			return true
		}
	}
	return false
}

// kotlinAccessor says what a property is, or what becomes of what it is set to.
var kotlinAccessor = pattern.Lazy(`^\s*(?:(?:private|protected|internal)\s+)?(?:get\(\)|set\(\w+\))\s*(?::[^={]+)?[={]`)

// kotlinProperty declares one.
var kotlinProperty = pattern.Lazy(`^\s*(?:[\w@]+\s+)*va[lr]\s`)

// binding is a name that an added line binds.
type binding struct {
	line     int
	scope    *source.Block
	name     string
	member   bool // it is a part of what bears the name
	imported bool
}

// checkBindings objects to names that one line binds.
func (r *reading) checkBindings(i int, scope *source.Block) Objection {
	t := r.new
	names, imports := source.Binds(r.lang, t.Code[i], t.Live[i])
	if before, _ := t.Around(i, i); r.lang.Name == "kotlin" && before >= 0 && kotlinAccessor().MatchString(t.Code[i]) {
		if !r.added[before] && kotlinProperty().MatchString(t.Code[before]) {
			return SetAside(fmt.Sprintf("The added line %q becomes part of an old statement.", diff.Shorten(t.Lines[i])))
		}
		if r.added[before] { // of a property that was added too
			names = slices.DeleteFunc(names, func(name string) bool { return name == "get" || name == "set" })
		}
	}
	for _, line := range r.expansion(i) {
		bound, _ := source.Binds(r.lang, line, line)
		names = append(names, bound...)
	}
	m := mutating().FindStringSubmatch(t.Code[i])
	if m != nil && m[1] == "os" && m[2] == "remove" { // it takes a file away
		m = nil
	}
	for _, name := range r.declared(i) {
		if b := (binding{line: i, scope: scope, name: name}); r.hidesOuter(b) {
			return r.redefines(b, true)
		}
	}
	if len(names) == 0 && m == nil || r.isMadeBelow(i) {
		return Objection{}
	}
	used, inFunction := r.usesIn(scope, i)
	if m != nil {
		if alone, _, _ := used.of(m[1]); alone || inFunction && r.readByInner(m[1], i) {
			return SetAside(fmt.Sprintf("The added line %q changes %s, which old lines of the test use.",
				diff.Shorten(t.Lines[i]), m[1]))
		}
	}
	for _, name := range names {
		if name == "*" && !r.hasLine(t.Lines[i]) {
			return Refuse(fmt.Sprintf("The added line %q could redefine what old tests use.",
				diff.Shorten(t.Lines[i])))
		}
		b := binding{line: i, scope: scope, imported: imports}
		b.name, b.member = strings.CutSuffix(name, ".")
		switch {
		case inFunction && !r.copiesForRound(b) && r.readNextRound(b):
			return r.redefines(b, true)
		case !r.clashes(b, used):
		case r.lang.Name == "shell" && (r.forOneCommand(i) || !inFunction && r.setBeforeRead(b)):
		case inFunction && (r.copiesForRound(b) || r.appendsCase(b)):
		case inFunction && !b.member && !r.hidesOuter(b) && (r.setFirst(b, used.rest()) || r.fillsAgain(b, r.codeOf(used.rest()))):
		case !inFunction && (r.isOverload(b) || r.setAgainInScript(b) && !r.hidesOuter(b) || r.takesNewText(b)):
		default:
			return r.redefines(b, inFunction || isCase(t.Code[i]))
		}
	}
	return Objection{}
}

// redefines objects to a name that an added line binds.
func (r *reading) redefines(b binding, aside bool) Objection {
	why := fmt.Sprintf("The added line %q redefines or changes %s, which old lines of the test use.",
		diff.Shorten(r.new.Lines[b.line]), b.name)
	return Objection{Why: why, Aside: aside}
}

// isMadeBelow tells, in C, a macro that is taken back right above the old line that makes it.
func (r *reading) isMadeBelow(i int) bool {
	t := r.new
	taken := strings.Fields(t.Code[i])
	_, next := t.Around(i+1, i+1)
	if r.lang.Name != "c" || len(taken) != 2 || taken[0] != "#undef" || next < 0 || r.added[next] {
		return false
	}
	made := strings.Fields(t.Code[next])
	return len(made) > 1 && made[0] == "#define" && made[1] == taken[1]
}

var (
	elixirClause = pattern.Lazy(`^\s*defp?\s+\w+[?!]?\((.*)`)
	elixirText   = pattern.Lazy(`"([^"#\\]{3,})"`)
)

// takesNewText tells, in tests of Elixir, one more clause of an old function, for a text that
// no old line has.
func (r *reading) takesNewText(b binding) bool {
	m := elixirClause().FindStringSubmatch(r.new.Live[b.line])
	if r.lang.Name != "elixir" || m == nil || !strings.HasSuffix(r.path, "_test.exs") {
		return false
	}
	name := regexp.QuoteMeta(b.name)
	called := regexp.MustCompile(`\b` + name + `\s*(?:[^\w\s=:,)}\]]|==)|\b` + name + `\s+\w|(?:\|>|&)\s*` + name)
	if slices.ContainsFunc(r.old.Code, func(code string) bool {
		return !strings.HasPrefix(strings.TrimSpace(code), "def") && called.MatchString(code)
	}) {
		return false // one that old lines call could answer for what fails
	}
	given, _, _ := strings.Cut(m[1], " when ")
	for _, text := range elixirText().FindAllStringSubmatch(given, -1) {
		if !slices.ContainsFunc(r.old.Live, func(old string) bool { return strings.Contains(old, text[1]) }) {
			return true
		}
	}
	return false
}

var (
	inherent   = pattern.Lazy(`^impl(?:<[^>]*>)?\s+(\w+)(?:<[^>]*>)?\s*$`)
	rustMethod = pattern.Lazy(`\bfn\s+(\w+)\s*(?:<[^>]*>)?\(\s*&?(?:mut\s+|'\w+\s+)*self\b`)
)

// shadowsMethod tells, in Rust, an added method of a type of the product by the
// name of one that old lines call: it comes before that of a trait.
func (r *reading) shadowsMethod(h diff.Hunk) string {
	if r.lang.Name != "rust" {
		return ""
	}
	t := r.new
	for i := h.From; i < h.To; i++ {
		b, m := t.Outline.At[i], rustMethod().FindStringSubmatch(t.Code[i])
		if b == nil || m == nil {
			continue
		}
		of := inherent().FindStringSubmatch(b.Header)
		if of != nil && r.fileUses().Member[m[1]] && !strings.Contains(t.Source.Text, "struct "+of[1]) &&
			!strings.Contains(t.Source.Text, "enum "+of[1]) {
			return fmt.Sprintf("The added line %q redefines or changes %s, which old lines of the test use.",
				diff.Shorten(t.Lines[i]), m[1])
		}
	}
	return ""
}

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
