package weaken

import (
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// caseClass is a class of cases, whose members no object but it has.
var caseClass = pattern.Lazy(`\bclass\s+(\w*Tests?|Test\w*)\b.*\b\w*TestCase\b`)

// testClass is a class of tests by its name, in a language in which runners alone make
// objects of one.
var testClass = pattern.Lazy(`\bclass\s+(\w+(Tests?|IT|Specs?|TestCase)|Test[A-Z]\w*)\b`)

// typeApart are languages in which a type within a class is no member of its objects.
var typeApart = map[string]bool{"java": true, "csharp": true, "kotlin": true}

var declaresType = pattern.Lazy(`^\s*(?:\w+\s+)*(class|interface|enum|record|struct)\s+\w`)

// clashes tells a name that old lines use, and that means something else by the
// added line.
func (r *reading) clashes(b binding, used uses) bool {
	byMember := b.scope != nil && b.scope.Sort() == source.Container &&
		!(r.lang.Name == "elixir" && b.imported) || r.lang.Name == "ruby" || r.lang.Name == "shell"
	alone, members, own := used.of(b.name)
	if b.scope != nil && (caseClass().MatchString(b.scope.Header) ||
		typeApart[r.lang.Name] && testClass().MatchString(b.scope.Header) &&
			!strings.Contains(r.new.Code[b.line], "(this ")) ||
		typeApart[r.lang.Name] && declaresType().MatchString(r.new.Code[b.line]) {
		members = own
	}
	if namesApart[r.lang.Name] && b.scope != nil && r.isMethod(b) && !r.calls(b.name) {
		return false
	}
	if r.lang.Name == "php" && b.scope != nil && phpProperty().MatchString(r.new.Code[b.line]) {
		_, named, _ := used.of(strings.TrimPrefix(b.name, "$"))
		alone, members = false, members || named // a variable of that name is another thing
	}
	if r.lang.Name == "php" && b.scope != nil && parentless().MatchString(b.scope.Header) &&
		r.onlyDeclared(b) {
		return false
	}
	switch {
	case b.name == "_" || b.name == "" || !alone && !(byMember && members):
		return false
	case b.imported && (r.importsAlready(b.name, r.new.Live[b.line]) || r.lang.Name == "rust" &&
		primitives[b.name]):
		return false
	case b.imported && r.importMeansNothing(b), r.isLocalToAll(b):
		return false
	case b.imported && r.takesFromLibrary(b):
		return false
	case r.lang.Name == "js" && b.scope == nil && !b.member && jsConstant().MatchString(r.new.Code[b.line]):
		return !r.isElsewhereBound(b.name)
	case r.lang.Name == "js" && b.member && b.name == "exports" && b.scope == nil:
		return slices.ContainsFunc(r.old.Code,
			func(code string) bool { return assignsTo(code, r.new.Code[b.line]) })
	case r.isApart(b) || r.isOfOwnType(b) || r.addsToModule(b):
		return false
	case r.lang.Name == "go" && b.scope == nil && !b.member:
		return universe[b.name] // else twice in a package is an error of the compiler, not a trick
	}
	return true
}

// ofTestLibrary imports a name from a well-known library of the JVM for tests, as it is there.
var ofTestLibrary = pattern.Lazy(`^\s*import\s+(static\s+)?(org\.(junit|hamcrest|assertj|mockito|testng)|io\.(kotest|mockk)|` +
	`kotlin\.test|com\.google\.(common\.truth|testing\.compile)|strikt|assertk)\.[\w.]+\s*;?\s*$`)

// takesFromLibrary tells an import of what compares or stands in: one more of that name, for other
// types, or from where old lines have it by a wildcard, lets nothing pass.
func (r *reading) takesFromLibrary(b binding) bool {
	return (r.lang.Name == "java" || r.lang.Name == "kotlin") &&
		ofTestLibrary().MatchString(strings.TrimRight(r.new.Live[b.line], "\r\n"))
}

var (
	// classScoped are languages in which a variable of a function comes before that of its
	// object of the same name.
	classScoped = map[string]bool{"java": true, "csharp": true, "kotlin": true}
	isField     = pattern.Lazy(`^\s*(?:(?:public|private|protected|internal|static|final|readonly|const|` +
		`val|var|lateinit|volatile)\s+)+` +
		`(?:[\w.<>,\[\]? ]+\s+)?(\w+)\s*(?::[^=]+)?(?:=.*|;)\s*$`)
)

// isLocalToAll tells a new variable of an object, of a name that old lines use for variables
// of their functions alone.
func (r *reading) isLocalToAll(b binding) bool {
	if m := isField().FindStringSubmatch(strings.TrimRight(r.new.Code[b.line], "\r\n")); !classScoped[r.lang.Name] ||
		b.scope == nil || b.scope.Sort() != source.Container || m == nil || m[1] != b.name {
		return false
	}
	local := regexp.MustCompile(`^\s*(?:(?:final|const|val|var)\s+)*(?:[\w.<>,\[\]?]+\s+)?` + b.name +
		`\s*(?::[^=]+)?(?:=[^=].*|;\s*)$`)
	var made []*source.Block // where a function makes one for itself
	for k, code := range r.new.Code {
		if r.added[k] || !source.UsesOf([]string{code}).Alone[b.name] {
			continue
		}
		at := r.new.Outline.At[k]
		if r.inAnyFunction(k) && local.MatchString(strings.TrimRight(code, "\r\n")) && len(strings.Fields(code)) > 1 &&
			declaresLocal(code, b.name) {
			made = append(made, at)
		}
		if !slices.ContainsFunc(made, func(own *source.Block) bool { return source.Within(at, own) }) {
			return false
		}
	}
	return len(made) > 0
}

// declaresLocal tells a line with a type, or a word that declares, in front of a name.
func declaresLocal(code, name string) bool {
	before, _, _ := strings.Cut(code, name)
	words := strings.Fields(before)
	return len(words) > 0 && !source.Controls[words[0]]
}

// namesApart are languages in which a method may bear the name of a type or of a
// variable: only calls of it mean it.
var namesApart = map[string]bool{"java": true, "csharp": true}

// phpProperty declares a variable of an object.
var phpProperty = pattern.Lazy(`^\s*(?:(?:public|protected|private|static|readonly|var)\s+)+(?:\??[\w\\|]+\s+)?\$\w+\s*[=;]`)

// parentless is the head of a class whose methods are nobody's but its own.
var parentless = pattern.Lazy(`^(?:(?:final|abstract|readonly)\s+)*class\s+\w+$`)

// onlyDeclared tells a method of a name by which old lines call none: a function of that
// name is another thing.
func (r *reading) onlyDeclared(b binding) bool {
	declares := func(code string) bool {
		m := source.Declared().FindStringSubmatch(code)
		return m != nil && m[1] == b.name && strings.Count(code, b.name) == 1
	}
	if !declares(r.new.Code[b.line]) {
		return false
	}
	for i, live := range r.old.Live {
		if !strings.Contains(live, b.name) {
			continue
		}
		code, text := source.UsesOf([]string{r.old.Code[i]}), source.UsesOf([]string{live})
		if text.Member[b.name] || text.Alone[b.name] && !code.Alone[b.name] { // called, or named in a text
			return false
		}
	}
	return true
}

// isApart tells a name that old lines cannot mean, as they would reach it by another way.
func (r *reading) isApart(b binding) bool {
	var means string // how an old line would reach it
	code := r.new.Code[b.line]
	switch {
	case r.lang.Name == "python":
		return b.scope == nil && (r.namesMethods(b.name) || r.isElsewhereBound(b.name))
	case r.lang.Name != "rust":
		return false
	case rustFile().MatchString(code):
		means = `\b` + b.name + `\s*::|^\s*(pub\s+)?use\b.*\b` + b.name + `\b`
	case b.scope != nil && rustConstant().MatchString(code) && rustStruct().MatchString(b.scope.Header):
		owner := rustStruct().FindStringSubmatch(b.scope.Header)[1]
		means = `\b` + owner + `\s*::\s*` + b.name + `\b`
		isOwner := func(around *source.Block) bool { return strings.Contains(around.Header, owner) }
		for i, code := range r.old.Code {
			if strings.Contains(code, "Self::"+b.name) &&
				slices.ContainsFunc(source.Chain(&source.Block{Parent: r.old.Outline.At[i]}), isOwner) {
				return false
			}
		}
	default:
		return false
	}
	return !slices.ContainsFunc(r.old.Code, regexp.MustCompile(means).MatchString)
}

// isOfOwnType tells, in Rust, a function that belongs to a type which the file declares, where no old
// line could mean it: none has a function of that name, and the type stands for no other.
func (r *reading) isOfOwnType(b binding) bool {
	if r.lang.Name != "rust" || b.scope == nil {
		return false
	}
	m := inherent().FindStringSubmatch(strings.TrimSpace(b.scope.Header))
	if m == nil || !strings.Contains(r.new.Code[b.line], "fn "+b.name) {
		return false
	}
	declares := regexp.MustCompile(`\b(?:struct|enum)\s+` + m[1] + `\b`)
	own := regexp.MustCompile(`\bfn\s+` + b.name + `\b|\bDeref\b|\b` + m[1] + `\s*::\s*` + b.name + `\b`)
	return slices.ContainsFunc(r.old.Code, declares.MatchString) && !slices.ContainsFunc(r.old.Code, own.MatchString)
}

// namesMethods tells a name that old lines of Python bear as methods of classes, and mean
// in no other way: without the object it is another.
func (r *reading) namesMethods(name string) bool {
	for i, code := range r.old.Code {
		m, b := source.Declared().FindStringSubmatch(code), r.old.Outline.At[i]
		isMethod := m != nil && m[1] == name && strings.Count(code, name) == 1 && b != nil &&
			strings.HasPrefix(b.Header, "class ")
		if !isMethod && source.UsesOf([]string{code}).Alone[name] {
			return false
		}
	}
	return true
}

func (r *reading) isMethod(b binding) bool {
	m := source.Method().FindStringSubmatch(strings.TrimRight(r.new.Code[b.line], "\r\n"))
	return m != nil && m[1] == b.name
}

// calls tells whether old lines call a name, or hand it over as what is to be called.
func (r *reading) calls(name string) bool {
	for _, code := range r.old.Code {
		for _, m := range source.Ident().FindAllStringIndex(code, -1) {
			if code[m[0]:m[1]] != name {
				continue
			}
			before, after := strings.TrimRight(code[:m[0]], " "), strings.TrimLeft(code[m[1]:], " ")
			isType := strings.HasSuffix(before, "new") || strings.HasPrefix(after, "?") ||
				strings.HasPrefix(after, "[]") || after != "" && lexer.IsWord(after[0])
			if !isType {
				return true
			}
		}
	}
	return false
}

// jsConstant is a declaration that nothing but its module sees, below its line.
var jsConstant = pattern.Lazy(`^const\s+\w+(\s*:[^=]+)?\s*=[^=>]`)

// assignsTo tells two lines of code that set the same.
func assignsTo(code, other string) bool {
	a, b := source.Assignment(code), source.Assignment(other)
	return a >= 0 && b >= 0 && strings.TrimSpace(code[:a]) == strings.TrimSpace(other[:b])
}

// blockScoped are languages in which a declaration ends with its block, by how one
// begins.
var blockScoped = map[string]func() *pattern.Pattern{
	"js":   pattern.Lazy(`^\s*(const|let)\b|\bfor\s*\((const|let)\b`),
	"perl": pattern.Lazy(`^\s*my\b|\bfor(each)?\s+my\b`), "go": pattern.Lazy(`:=|^\s*var\b`),
	"rust":  pattern.Lazy(`^\s*let\b|^\s*for\b`),
	"swift": pattern.Lazy(`^\s*(let|var|(?:final\s+)?(?:struct|class|enum|func))\b`),
	"kotlin": pattern.Lazy(`^\s*(val|var|(?:(?:data|sealed|enum|inner|open|abstract|value|inline|suspend)\s+)*` +
		`(?:class|interface|object|fun))\b`),
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
	if r.new.Outline.At[i+1] != r.new.Outline.At[i] &&
		(strings.Contains(r.new.Code[i], "for") || r.lang.Name == "go" && goHead().MatchString(r.new.Code[i])) {
		return true // a variable of the loop, or of the condition, that the line begins
	}
	for b := r.new.Outline.At[i]; b != nil; b = b.Parent {
		if b.Line >= h.From && b.Line < h.To && b.Mark == "{" || b.Mark == "do" && b.Line >= h.From &&
			b.Line < h.To {
			return true
		}
	}
	return false
}

// goHead declares variables for the block that it begins.
var goHead = pattern.Lazy(`^\s*(?:\}\s*else\s+)?(if|switch)\s+\w+(\s*,\s*\w+)*\s*:=[^;]*;[^:]*\{\s*$`)

var startsStatement = pattern.Lazy(`^\s*(return|goto|delete|throw|else|case)\b`)

// primitives are types of Rust, beside which a macro or a module of the name may
// stand.
var primitives = map[string]bool{"str": true, "char": true, "bool": true, "f32": true, "f64": true,
	"u8":  true,
	"u16": true, "u32": true, "u64": true, "i8": true, "i16": true, "i32": true, "i64": true,
	"usize": true, "isize": true}

// universe are Go's own names that a package could redefine.
var universe = map[string]bool{"true": true, "false": true, "nil": true, "error": true, "panic": true,
	"len": true, "cap": true, "append": true, "recover": true,
	"string": true, "bool": true, "int": true, "int64": true, "byte": true, "rune": true, "float64": true,
	"any": true, "iota": true, "make": true, "new": true}
