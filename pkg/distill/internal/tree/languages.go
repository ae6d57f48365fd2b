package tree

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// language is how the files with some extensions name others.
type language struct {
	exts    string
	comment string // a line that begins so names nothing
	rules   []importRule
	more    func(t *Tree, file string, lines []string, add func(string)) // what no row can say
}

// importRule is one way to name a file.
type importRule struct {
	expr  func() *regexp.Regexp // its groups are names
	ends  string                // what the file's name has behind that; "-" is nothing
	dirs  string                // the folders in which it may lie; "@" is that of the file that names it
	sep   string                // what stands between folders, where it is no slash
	words []string              // one of these stands in the line
	spell func(string) string   // how the file of a name is spelled
	// member is set where the first group is a module, and the second names that may be
	// modules within it; they may go on in the lines below, in parentheses.
	member bool
	// anywhere looks for it in the whole tree as well.
	anywhere bool
}

const (
	className = `\b([A-Z]\w+)`
	jsFrom    = `(?:\bfrom\s*|\brequire(?:\.resolve)?\s*\(\s*|\bimport\s*\(?\s*|\bmock\s*\(\s*)['"` + "`]"
	// TypeScript sources are imported under the name of what they compile to.
	jsName  = `[^'"` + "`" + `]*?)(?:\.[mc]?jsx?)?['"` + "`]"
	jsEnds  = "- .ts .tsx .js .jsx .mjs .cjs .mts .cts .vue .svelte /index.ts /index.tsx /index.js /index.mjs"
	jsWhole = "/src/index.ts /src/index.tsx /src/index.js /index.ts /index.js /lib/index.ts /lib/index.js"
)

const (
	rsEnds = ".rs /mod.rs"
	rsDirs = "@ src @/../src"
)

const include = `^\s*#\s*(?:include|import)\s*["<]`

const (
	pyFrom  = `^\s*from\s+`
	pyNames = `\s+import\s+(.+)$`
	pyEnds  = ".py /__init__.py .pyx .pyi"
	pyDirs  = "@ . src @/.. lib app"
)

var pyWords = []string{"import"}

var jsWords = []string{"from", "require", "import", "mock"}

var languages = []language{
	{exts: ".go", more: (*Tree).goImports},
	{exts: ".py .pyi", more: (*Tree).conftests, rules: []importRule{
		{expr: text.Lazy(pyFrom + `([\w\p{L}.]+)` + pyNames), member: true, sep: ".", ends: pyEnds, dirs: pyDirs,
			words: pyWords, anywhere: true},
		{expr: text.Lazy(`^\s*import\s+(.+)$`), sep: ".", ends: pyEnds, dirs: pyDirs, words: pyWords},
		{expr: text.Lazy(pyFrom + `\.([\w\p{L}]*)` + pyNames), member: true, sep: ".", ends: pyEnds, dirs: "@",
			words: pyWords},
		{expr: text.Lazy(pyFrom + `\.\.([\w\p{L}]*)` + pyNames), member: true, sep: ".", ends: pyEnds, dirs: "@/..",
			words: pyWords},
	}},
	{exts: ".rs", rules: []importRule{
		{expr: text.Lazy(`^\s*(?:pub(?:\([\w:]+\))? +)?mod +(\w+)`), ends: rsEnds, dirs: "@ src", anywhere: true},
		// of a path the last two parts: what is no module is no file
		{expr: text.Lazy(`\b\w+::(?:\w+::)*([a-z0-9_]+)\b`), ends: rsEnds, dirs: rsDirs, anywhere: true},
		{expr: text.Lazy(`\b(?:\w+::)*([a-z0-9_]+)::(?:[A-Z*{]|\w+\()`), ends: rsEnds + " /src/lib.rs",
			dirs: rsDirs + " crates", anywhere: true},
		{expr: text.Lazy(`\buse +\w+(::)`), ends: "-", dirs: "@/lib.rs src/lib.rs @/../src/lib.rs",
			spell: func(string) string { return "" }},
	}},
	{exts: ".js .mjs .cjs .jsx .ts .tsx .mts .cts .vue .svelte", rules: []importRule{
		{expr: text.Lazy(jsFrom + `(\.` + jsName), ends: jsEnds, dirs: "@", words: jsWords},
		{expr: text.Lazy(jsFrom + `(?:@/|~/|#/?)(` + jsName), ends: jsEnds, dirs: "src . app lib", words: jsWords},
		{expr: text.Lazy(jsFrom + `([\w-]` + jsName), ends: jsEnds, dirs: ". src", words: jsWords},
		// a package of the workspace
		{expr: text.Lazy(jsFrom + `(?:@[\w.-]+/)?([\w-]` + jsName), ends: jsWhole,
			dirs: "packages libs apps modules", words: jsWords},
	}},
	{exts: ".java .kt .kts .scala .groovy", comment: "//", more: (*Tree).samePackage, rules: []importRule{
		{expr: text.Lazy(className), ends: ".java .kt .scala .groovy", anywhere: true}}},
	{exts: ".cs", comment: "//", rules: []importRule{{expr: text.Lazy(className), ends: ".cs", anywhere: true}}},
	{exts: ".swift", comment: "//", more: (*Tree).samePackage, rules: []importRule{
		{expr: text.Lazy(className), ends: ".swift", anywhere: true}}},
	{exts: ".fs", comment: "//", more: (*Tree).samePackage, rules: []importRule{
		{expr: text.Lazy(className), ends: ".fs", anywhere: true}}},
	{exts: ".dart", comment: "//", rules: []importRule{{ends: "-", dirs: "@ lib",
		expr: text.Lazy(`^\s*(?:import|export|part)\s+'(?:package:[^/']+/)?([\w./-]+\.dart)'`)}}},
	{exts: ".rb .rake", comment: "#", rules: []importRule{
		{expr: text.Lazy(`^\s*require_relative\b[^'"]*['"]([^'"]+)`), ends: ".rb", dirs: "@"},
		{expr: text.Lazy(`^\s*(?:require|load|autoload)\b[^'"]*['"]([^'"]+?)(?:\.rb)?['"]`), ends: ".rb",
			dirs: "lib . app test spec"},
		{expr: text.Lazy(className), ends: ".rb", spell: Snake, anywhere: true}}, // Rails loads by name
		more: func(_ *Tree, file string, _ []string, add func(string)) {
			if IsTestFile(file) {
				add("spec/spec_helper.rb")
				add("test/test_helper.rb")
			}
		}},
	{exts: ".php", comment: "//", rules: []importRule{
		{expr: text.Lazy(`^\s*(?:require|include)[^'"]*['"]/?([^'"]+)`), ends: "-", dirs: "@ .", anywhere: true},
		{expr: text.Lazy(className), ends: ".php", anywhere: true}}},
	{exts: ".c .cc .cpp .cxx .c++ .h .hh .hpp .hxx .m .mm .cu .inl", rules: []importRule{
		{expr: text.Lazy(include + `([^">]+)[">]`), ends: "-", dirs: "@ include src .", anywhere: true},
		// what a header declares is defined in the source of its name
		{expr: text.Lazy(include + `(?:[^">]*/)?([^">/]+)\.h`), ends: ".c .cc .cpp .cxx .m .mm .cu",
			dirs: "@ src lib .", anywhere: true},
	}},
	{exts: ".ex .exs", comment: "#", rules: []importRule{
		{expr: text.Lazy(className), ends: ".ex", spell: Snake, anywhere: true}}},
	{exts: ".lua", rules: []importRule{{expr: text.Lazy(`require\s*\(?\s*["']([\w./-]+)["']`), sep: ".",
		ends: ".lua /init.lua", dirs: ". src lib @", anywhere: true}}},
	{exts: ".pl .pm .t", rules: []importRule{{sep: "::", ends: ".pm", dirs: "lib . @", anywhere: true,
		expr: text.Lazy(`^\s*(?:use|require|use_ok)\s*\(?\s*['"]?((?:\w+::)*\w+)`)}}},
	{exts: ".sh .bash .bats", comment: "#", rules: []importRule{
		{expr: text.Lazy(`(?:^|[\s"'=(/])((?:\.{0,2}/)?(?:[\w.-]+/)*[\w-]+\.(?:sh|bash|bats)|(?:bin|src|scripts|` +
			`lib)/[\w.-]+)`), ends: "-", dirs: "@ .", anywhere: true},
		{expr: text.Lazy(`^\s*(?:load|source|\.)\s+["']?([^\s"']+)`), ends: ".bash .sh", dirs: "@"}}},
	{exts: ".hs .lhs", rules: []importRule{{expr: text.Lazy(`^import\s+(?:qualified\s+)?([A-Z][\w.]*)`),
		sep: ".", ends: ".hs", anywhere: true}}},
	{exts: ".ml .mli", rules: []importRule{{expr: text.Lazy(`\b([A-Z]\w*)\.|^\s*open!?\s+([A-Z]\w*)`),
		spell: lowerFirst, ends: ".ml", anywhere: true}}},
	{exts: ".erl", rules: []importRule{
		{expr: text.Lazy(`\b([a-z]\w*):[a-z]\w*\(`), ends: ".erl", anywhere: true}}},
	{exts: ".nim", rules: []importRule{{expr: text.Lazy(`^\s*(?:import|include|from)\s+([\w./, -]+)`),
		ends: ".nim", anywhere: true}}},
	{exts: ".d", rules: []importRule{{expr: text.Lazy(`^\s*(?:public |static )?import\s+([\w.]+)`), sep: ".",
		ends: ".d", anywhere: true}}},
	{exts: ".tcl .test .exp", rules: []importRule{{expr: text.Lazy(`\bsource\b.*?([\w-]+\.tcl)`), ends: "-",
		anywhere: true}}},
	{exts: ".rkt .scm .sld .ss .r .lisp", rules: []importRule{{ends: "-", dirs: "@", anywhere: true,
		expr: text.Lazy(`"([\w./-]+\.(?:rkt|scm|sld|ss|R|r|lisp))"`)}}},
	{exts: ".r", more: func(t *Tree, file string, _ []string, add func(string)) {
		for _, f := range t.inDir("R", path.Ext(file)) { // a package loads all of it
			add(f)
		}
	}},
	{exts: ".feature", more: (*Tree).stepImports},
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// Snake makes foo_bar of FooBar.
func Snake(s string) string {
	var b strings.Builder
	for i, c := range s {
		if c >= 'A' && c <= 'Z' {
			if i > 0 && !(s[i-1] >= 'A' && s[i-1] <= 'Z') {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// samePackage adds what needs no import where functions stand outside of classes:
// the rest of the folder's package, or of the module.
func (t *Tree) samePackage(file string, _ []string, add func(string)) {
	ext := path.Ext(file)
	if ext == ".java" || ext == ".groovy" {
		return
	}
	for _, f := range t.Files() {
		if path.Ext(f) == ext && !IsTestFile(f) &&
			(commonTail(path.Dir(f), path.Dir(file)) > 1 || ext == ".swift" || ext == ".fs") {
			add(f)
		}
	}
}

// conftests adds what gives fixtures to a test without being imported.
func (t *Tree) conftests(file string, _ []string, add func(string)) {
	for d := path.Dir(file); IsTestFile(file) && path.Base(file) != "conftest.py"; d = path.Dir(d) {
		add(path.Join(d, "conftest.py"))
		if d == "." || d == "/" {
			return
		}
	}
}

// stepImports gives the steps that a feature is run by: they lie in folders of
// known names near it, or in tests that name it.
func (t *Tree) stepImports(file string, _ []string, add func(string)) {
	namesIt := func(s string) bool { return strings.Contains(s, path.Base(file)) }
	for _, f := range t.Files() {
		if ext := strings.ToLower(path.Ext(f)); !SourceExt(ext) || ext == ".feature" || ext == ".md" {
			continue
		}
		low := strings.ToLower(f)
		if strings.Contains(low, "step") || strings.Contains(path.Dir(low), "features") ||
			IsTestFile(f) && slices.ContainsFunc(t.Lines(f), namesIt) {
			add(f)
		}
	}
}
