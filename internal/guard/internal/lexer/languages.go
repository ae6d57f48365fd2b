package lexer

import (
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/testfile"
)

// Language is what the guard must know of a language to read its files without
// parsing them: where comments and strings begin and end, how blocks are made.
type Language struct {
	Name string
	// line starts a comment to the end of the line, block one to its end mark.
	line   []string
	block  [][2]string
	nested bool // block comments nest
	quotes []quote
	// tail ends the code of a file: what follows is data.
	tail []string
	traits
}

// quote is a kind of string literal.
type quote struct {
	open, close string
	escape      bool // a backslash hides the next character
	lines       bool // may span lines
	holes       bool // ${...} inside is code
}

// traits are the oddities that need code in the lexer.
type traits struct {
	Indent     bool // blocks are made by indentation
	Ends       bool // blocks are closed by words such as end or fi
	regexes    bool // a slash may begin a regular expression
	lifetimes  bool // an apostrophe may be a lifetime
	rawHash    bool // r#"..."# or #"..."#
	rawParen   bool // R"x(...)x"
	heredocs   string
	Conditions bool // #if and its kin
	wordHash   bool // # is a comment at the beginning of a word only
	percent    bool // %q(...) and its kin
	splice     bool // a backslash joins the next line, in comments too
}

var (
	dquote  = quote{open: `"`, close: `"`, escape: true}
	squote  = quote{open: `'`, close: `'`, escape: true}
	triple  = quote{open: `"""`, close: `"""`, escape: true, lines: true}
	triple1 = quote{open: `'''`, close: `'''`, escape: true, lines: true}
	slashes = []string{"//"}
	stars   = [][2]string{{"/*", "*/"}}
)

var languages = []Language{
	{Name: "go", line: slashes, block: stars,
		quotes: []quote{dquote, squote, {open: "`", close: "`", lines: true}}},
	{Name: "python", line: []string{"#"}, traits: traits{Indent: true},
		quotes: []quote{triple, triple1, dquote, squote}},
	{Name: "js", line: slashes, block: stars,
		traits: traits{regexes: true},
		quotes: []quote{dquote, squote, {open: "`", close: "`", escape: true, lines: true, holes: true}}},
	{Name: "rust", line: slashes, block: stars, nested: true,
		traits: traits{lifetimes: true, rawHash: true},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}}},
	{Name: "java", line: slashes, block: stars, quotes: []quote{triple, dquote, squote}},
	{Name: "kotlin", line: slashes, block: stars, nested: true,
		traits: traits{}, quotes: []quote{{open: `"""`, close: `"""`, lines: true}, triple1, dquote,
			squote}},
	{Name: "ruby", line: []string{"#"}, block: [][2]string{{"\n=begin", "\n=end"}},
		tail:   []string{"__END__"},
		traits: traits{Ends: true, heredocs: "ruby", percent: true, regexes: true},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true},
			{open: `'`, close: `'`, escape: true, lines: true}, {open: "`", close: "`", escape: true}}},
	{Name: "php", line: []string{"//", "#"}, block: stars, tail: []string{"__halt_compiler"},
		traits: traits{heredocs: "php"},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true},
			{open: `'`, close: `'`, escape: true, lines: true}}},
	{Name: "elixir", line: []string{"#"}, traits: traits{Ends: true},
		quotes: []quote{{open: `"""`, close: `"""`, escape: true, lines: true}, triple1,
			{open: `"`, close: `"`, escape: true, lines: true}, {open: `'`, close: `'`, escape: true}}},
	{Name: "c", line: slashes, block: stars,
		traits: traits{Conditions: true, rawParen: true, splice: true}, quotes: []quote{dquote, squote}},
	{Name: "csharp", line: slashes, block: stars, traits: traits{Conditions: true},
		quotes: []quote{{open: `"""`, close: `"""`, lines: true}, {open: `@"`, close: `"`, lines: true},
			{open: `$@"`, close: `"`, lines: true}, dquote, squote}},
	{Name: "swift", line: slashes, block: stars, nested: true,
		traits: traits{Conditions: true, rawHash: true}, quotes: []quote{triple, dquote}},
	{Name: "shell", line: []string{"#"}, traits: traits{Ends: true, heredocs: "shell", wordHash: true},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true},
			{open: `'`, close: `'`, lines: true}}},
	{Name: "dart", line: slashes, block: stars, nested: true,
		quotes: []quote{triple, triple1, dquote, squote}},
	{Name: "lua", line: []string{"--"}, block: [][2]string{{"--[[", "]]"}}, traits: traits{Ends: true},
		quotes: []quote{{open: "[[", close: "]]", lines: true}, dquote, squote}},
	{Name: "perl", line: []string{"#"}, block: [][2]string{{"\n=", "\n=cut"}},
		tail:   []string{"__END__", "__DATA__"},
		traits: traits{wordHash: true, regexes: true, heredocs: "ruby"},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true},
			{open: `'`, close: `'`, escape: true, lines: true}}},
	{Name: "crystal", line: []string{"#"}, traits: traits{Ends: true}, quotes: []quote{dquote}},
	{Name: "zig", line: slashes, quotes: []quote{dquote, squote}},
	{Name: "tcl", line: []string{"#"}, traits: traits{wordHash: true},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}}},
	{Name: "other"},
}

// Of tells the language of a source file by its name, nil for data.
func Of(p string) *Language {
	name := testfile.Language(p)
	for i := range languages {
		if name == languages[i].Name {
			return &languages[i]
		}
	}
	return nil
}

var shebang = pattern.Lazy(`^#!\s*\S*?/(?:env\s+(?:-S\s+)?)?(?:\S*/)?([a-z]+)`)

// Interpreted tells the language of a script by its first line.
func Interpreted(text []byte) *Language {
	m := shebang().FindSubmatch(text)
	if m == nil {
		return nil
	}
	name := string(m[1])
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "bats":
		name = "shell"
	case "node", "deno", "bun":
		name = "js"
	case "tclsh", "expect":
		name = "tcl"
	}
	for i := range languages {
		if languages[i].Name == name {
			return &languages[i]
		}
	}
	return nil
}
