package guard

import "github.com/booty-cli/booty/internal/testfile"

// language is what the guard must know of a language to read its files without
// parsing them: where comments and strings begin and end, how blocks are made.
type language struct {
	name string
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
	indent     bool // blocks are made by indentation
	ends       bool // blocks are closed by words such as end or fi
	regexes    bool // a slash may begin a regular expression
	lifetimes  bool // an apostrophe may be a lifetime
	rawHash    bool // r#"..."# or #"..."#
	rawParen   bool // R"x(...)x"
	heredocs   string
	conditions bool // #if and its kin
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

var languages = []language{
	{name: "go", line: slashes, block: stars,
		quotes: []quote{dquote, squote, {open: "`", close: "`", lines: true}}},
	{name: "python", line: []string{"#"}, traits: traits{indent: true},
		quotes: []quote{triple, triple1, dquote, squote}},
	{name: "js", line: slashes, block: stars,
		traits: traits{regexes: true}, quotes: []quote{dquote, squote, {open: "`", close: "`", escape: true, lines: true, holes: true}}},
	{name: "rust", line: slashes, block: stars, nested: true,
		traits: traits{lifetimes: true, rawHash: true}, quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}}},
	{name: "java", line: slashes, block: stars, quotes: []quote{triple, dquote, squote}},
	{name: "kotlin", line: slashes, block: stars, nested: true,
		traits: traits{}, quotes: []quote{{open: `"""`, close: `"""`, lines: true}, triple1, dquote, squote}},
	{name: "ruby", line: []string{"#"}, block: [][2]string{{"\n=begin", "\n=end"}}, tail: []string{"__END__"},
		traits: traits{ends: true, heredocs: "ruby", percent: true, regexes: true},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}, {open: `'`, close: `'`, escape: true, lines: true}, {open: "`", close: "`", escape: true}}},
	{name: "php", line: []string{"//", "#"}, block: stars, tail: []string{"__halt_compiler"}, traits: traits{heredocs: "php"},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}, {open: `'`, close: `'`, escape: true, lines: true}}},
	{name: "elixir", line: []string{"#"}, traits: traits{ends: true},
		quotes: []quote{{open: `"""`, close: `"""`, escape: true, lines: true}, triple1, {open: `"`, close: `"`, escape: true, lines: true}, {open: `'`, close: `'`, escape: true}}},
	{name: "c", line: slashes, block: stars,
		traits: traits{conditions: true, rawParen: true, splice: true}, quotes: []quote{dquote, squote}},
	{name: "csharp", line: slashes, block: stars, traits: traits{conditions: true},
		quotes: []quote{{open: `"""`, close: `"""`, lines: true}, {open: `@"`, close: `"`, lines: true}, {open: `$@"`, close: `"`, lines: true}, dquote, squote}},
	{name: "swift", line: slashes, block: stars, nested: true,
		traits: traits{conditions: true, rawHash: true}, quotes: []quote{triple, dquote}},
	{name: "shell", line: []string{"#"}, traits: traits{ends: true, heredocs: "shell", wordHash: true},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}, {open: `'`, close: `'`, lines: true}}},
	{name: "dart", line: slashes, block: stars, nested: true, quotes: []quote{triple, triple1, dquote, squote}},
	{name: "lua", line: []string{"--"}, block: [][2]string{{"--[[", "]]"}}, traits: traits{ends: true},
		quotes: []quote{{open: "[[", close: "]]", lines: true}, dquote, squote}},
	{name: "perl", line: []string{"#"}, block: [][2]string{{"\n=", "\n=cut"}}, tail: []string{"__END__", "__DATA__"},
		traits: traits{wordHash: true, regexes: true, heredocs: "ruby"},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}, {open: `'`, close: `'`, escape: true, lines: true}}},
	{name: "crystal", line: []string{"#"}, traits: traits{ends: true}, quotes: []quote{dquote}},
	{name: "zig", line: slashes, quotes: []quote{dquote, squote}},
	{name: "tcl", line: []string{"#"}, traits: traits{wordHash: true}, quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}}},
	{name: "other"},
}

// languageOf tells the language of a source file by its name, nil for data.
func languageOf(p string) *language {
	name := testfile.Language(p)
	for i := range languages {
		if name == languages[i].name {
			return &languages[i]
		}
	}
	return nil
}

var shebang = lazy(`^#!\s*\S*?/(?:env\s+(?:-S\s+)?)?(?:\S*/)?([a-z]+)`)

// interpreted tells the language of a script by its first line.
func interpreted(text []byte) *language {
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
		if languages[i].name == name {
			return &languages[i]
		}
	}
	return nil
}
