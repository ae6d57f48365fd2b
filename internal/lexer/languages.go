package lexer

import (
	"slices"
	"strings"

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
	// literals are read before quotes are.
	literals []literal
	// tail ends the code of a file: what follows is data.
	tail []string
	traits
}

// traits are the oddities of a language.
type traits struct {
	Indent     bool // blocks are made by indentation
	Ends       bool // blocks are closed by words such as end or fi
	Conditions bool // #if and its kin
	heredocs   string
	wordHash   bool // # is a comment at the beginning of a word only
	splice     bool // a backslash joins the next line, in comments too
	// Unread is a language of which no more is known than its remarks and its texts.
	Unread bool
}

// literal reads what begins with one of a few bytes and is no plain quote.
type literal struct {
	first string
	at    func(l *lexer, i int) int
}

var (
	dquote  = quote{open: `"`, close: `"`, escape: true}
	squote  = quote{open: `'`, close: `'`, escape: true}
	dlines  = quote{open: `"`, close: `"`, escape: true, lines: true}
	slines  = quote{open: `'`, close: `'`, escape: true, lines: true}
	triple  = quote{open: `"""`, close: `"""`, escape: true, lines: true}
	triple1 = quote{open: `'''`, close: `'''`, escape: true, lines: true}
	slashes = []string{"//"}
	hash    = []string{"#"}
	stars   = [][2]string{{"/*", "*/"}}

	dollarBrace = &hole{"${", '{', '}'}
	hashBrace   = &hole{"#{", '{', '}'}
	backParen   = &hole{`\(`, '(', ')'}

	rawHash  = literal{"rb#", (*lexer).rawHash}
	rawParen = literal{"R", (*lexer).rawParen}
	heredocs = literal{"<", (*lexer).heredoc}
	regex    = literal{"/", (*lexer).regex}
	char     = literal{"?", (*lexer).questionMark}
	ticks    = literal{"`", (*lexer).nameInTicks}
)

var languages = []Language{
	{Name: "go", line: slashes, block: stars,
		quotes: []quote{dquote, squote, {open: "`", close: "`", lines: true}}},
	{Name: "python", line: hash, traits: traits{Indent: true},
		quotes: []quote{triple, triple1, dquote, squote}},
	{Name: "js", line: slashes, block: stars, literals: []literal{{"'", (*lexer).apostrophe}, regex},
		quotes: []quote{dquote, squote,
			{open: "`", close: "`", escape: true, lines: true, hole: dollarBrace}}},
	{Name: "rust", line: slashes, block: stars, nested: true,
		literals: []literal{{"'", (*lexer).rustChar}, rawHash}, quotes: []quote{dlines}},
	{Name: "java", line: slashes, block: stars, quotes: []quote{triple, dquote, squote}},
	{Name: "kotlin", line: slashes, block: stars, nested: true, literals: []literal{ticks},
		quotes: []quote{{open: `"""`, close: `"""`, lines: true}, triple1, withHole(dquote, dollarBrace),
			squote}},
	{Name: "ruby", line: hash, block: [][2]string{{"\n=begin", "\n=end"}}, tail: []string{"__END__"},
		traits:   traits{Ends: true, heredocs: "ruby"},
		literals: []literal{heredocs, {"%", (*lexer).percent}, {"`", (*lexer).tickName}, regex, char},
		quotes: []quote{withHole(dlines, hashBrace), slines,
			{open: "`", close: "`", escape: true, hole: hashBrace}}},
	{Name: "php", line: []string{"//", "#"}, block: stars, tail: []string{"__halt_compiler"},
		traits: traits{heredocs: "php"}, literals: []literal{heredocs}, quotes: []quote{dlines, slines}},
	{Name: "elixir", line: hash, traits: traits{Ends: true},
		literals: []literal{{"~", (*lexer).sigil}, char},
		quotes:   []quote{withHole(triple, hashBrace), triple1, withHole(dlines, hashBrace), squote}},
	{Name: "c", line: slashes, block: stars, traits: traits{Conditions: true, splice: true},
		literals: []literal{rawParen, {"0123456789", (*lexer).number}}, quotes: []quote{dquote, squote}},
	{Name: "csharp", line: slashes, block: stars, traits: traits{Conditions: true},
		quotes: []quote{{open: `"""`, close: `"""`, lines: true}, verbatim(`@"`), verbatim(`$@"`),
			verbatim(`@$"`), dquote, squote}},
	{Name: "swift", line: slashes, block: stars, nested: true, traits: traits{Conditions: true},
		literals: []literal{rawHash, ticks}, quotes: []quote{withHole(triple, backParen),
			withHole(dquote, backParen)}},
	{Name: "shell", line: hash, traits: traits{Ends: true, heredocs: "shell", wordHash: true},
		literals: []literal{heredocs, {`\$`, (*lexer).shellEscape}},
		quotes:   []quote{dlines, {open: `'`, close: `'`, lines: true}}},
	{Name: "dart", line: slashes, block: stars, nested: true,
		literals: []literal{{"r", (*lexer).rawLetter}},
		quotes:   []quote{triple, triple1, withHole(dquote, dollarBrace), withHole(squote, dollarBrace)}},
	{Name: "lua", line: []string{"--"}, block: [][2]string{{"--[[", "]]"}}, traits: traits{Ends: true},
		literals: []literal{{"[", (*lexer).longBracket}},
		quotes:   []quote{{open: "[[", close: "]]", lines: true}, dquote, squote}},
	{Name: "perl", line: hash, block: [][2]string{{"\n=", "\n=cut"}},
		tail:     []string{"__END__", "__DATA__"},
		traits:   traits{wordHash: true, heredocs: "ruby"},
		literals: []literal{heredocs, {"$", (*lexer).perlVariable}, {"qmsty", (*lexer).perlQuote}, regex},
		quotes:   []quote{dlines, slines}},
	{Name: "crystal", line: hash, traits: traits{Ends: true, heredocs: "ruby"},
		literals: []literal{heredocs, {"'", (*lexer).rustChar}, {"%", (*lexer).percent}, regex},
		quotes:   []quote{withHole(dlines, hashBrace)}},
	{Name: "zig", line: slashes, quotes: []quote{dquote, squote}},
	{Name: "tcl", line: hash, traits: traits{wordHash: true},
		literals: []literal{{`\`, (*lexer).tclEscape}, {`"`, (*lexer).bracedQuote}},
		quotes:   []quote{dlines}},
	{Name: "erlang", line: []string{"%"}, traits: traits{Unread: true},
		literals: []literal{{"$", (*lexer).hiddenNext}}, quotes: []quote{triple, dlines, squote}},
	{Name: "julia", line: hash, block: [][2]string{{"#=", "=#"}}, nested: true, traits: traits{Unread: true},
		literals: []literal{{"'", (*lexer).rustChar}}, quotes: []quote{triple, dlines}},
	{Name: "haskell", line: []string{"--"}, block: [][2]string{{"{-", "-}"}}, nested: true, traits: traits{Unread: true},
		literals: []literal{{"'", (*lexer).rustChar}}, quotes: []quote{dlines}},
	{Name: "clojure", line: []string{";"}, traits: traits{Unread: true},
		literals: []literal{{`\`, (*lexer).hiddenNext}}, quotes: []quote{dlines}},
	{Name: "lisp", line: []string{";"}, block: [][2]string{{"#|", "|#"}}, traits: traits{Unread: true},
		literals: []literal{{`\`, (*lexer).hiddenNext}}, quotes: []quote{dlines}},
	{Name: "ocaml", block: [][2]string{{"(*", "*)"}}, nested: true, traits: traits{Unread: true},
		literals: []literal{{"'", (*lexer).rustChar}},
		quotes:   []quote{{open: "{|", close: "|}", lines: true}, dlines}},
	{Name: "fsharp", line: slashes, block: [][2]string{{"(*", "*)"}}, nested: true, traits: traits{Unread: true},
		literals: []literal{{"`", (*lexer).nameInDoubleTicks}, {"'", (*lexer).rustChar}},
		quotes:   []quote{triple, verbatim(`@"`), dlines}},
	{Name: "r", line: hash, traits: traits{Unread: true}, quotes: []quote{dlines, slines}},
	{Name: "nim", line: hash, block: [][2]string{{"#[", "]#"}}, nested: true, traits: traits{Unread: true},
		literals: []literal{{"'", (*lexer).rustChar}}, quotes: []quote{triple, dquote}},
	{Name: "powershell", line: hash, block: [][2]string{{"<#", "#>"}}, traits: traits{Unread: true, wordHash: true},
		literals: []literal{{"`", (*lexer).hiddenNext}}, quotes: []quote{{open: "@\"", close: "\n\"@", lines: true},
			{open: "@'", close: "\n'@", lines: true}, {open: `"`, close: `"`, lines: true, doubled: true},
			{open: `'`, close: `'`, lines: true, doubled: true}}},
	{Name: "coffee", line: hash, block: [][2]string{{"###", "###"}}, traits: traits{Unread: true},
		quotes: []quote{triple, triple1, withHole(dlines, hashBrace), slines}},
	{Name: "other"},
}

// verbatim is a string of C# in which a quotation mark stands twice.
func verbatim(open string) quote {
	return quote{open: open, close: `"`, lines: true, doubled: true}
}

func withHole(q quote, h *hole) quote {
	q.hole = h
	return q
}

// starts tells which bytes may begin a comment or a literal.
func (lang *Language) starts() *[256]bool {
	var out [256]bool
	for _, mark := range slices.Concat(lang.line, lang.tail) {
		out[mark[0]] = true
	}
	for _, b := range lang.block {
		out[strings.TrimPrefix(b[0], "\n")[0]] = true
	}
	for _, q := range lang.quotes {
		out[q.open[0]] = true
	}
	for _, read := range lang.literals {
		for _, c := range []byte(read.first) {
			out[c] = true
		}
	}
	return &out
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
