package edit

import (
	"path"
	"strings"
	"sync"
)

// wordSet is a set of words, built on first use.
func wordSet(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := make(map[string]bool)
		for _, w := range strings.Fields(words) {
			set[w] = true
		}
		return set
	})
}

// What files hold, by extension, and fences, by language.
var (
	// codeFiles are in languages without typographic characters outside of quotes.
	codeFiles = wordSet(".go .py .pyi .js .mjs .cjs .ts .mts .cts .rs .java .kt .rb .c .h .cc .cpp .hpp " +
		".cs .swift .scala .sh .bash .zsh")
	hashComments = wordSet(".py .pyi .rb .sh .bash .zsh")
	// proseFiles may contain fences and examples of every kind.
	proseFiles = wordSet(".md .mdx .markdown .rst .adoc .txt .qmd .rmd .mdc")
	// tables are files in which numbers before a colon or tab are normal.
	tables = wordSet(".csv .tsv .yml .yaml .txt .dat .log .out .golden .snap")

	// codeLangs are languages of fences that hold a file unless stated otherwise.
	codeLangs = wordSet("python golang typescript tsx javascript jsx rust ruby kotlin csharp c++ elixir php " +
		"lua perl dart yaml yml toml ini css scss html vue svelte sql xml hcl proto graphql dockerfile " +
		"makefile")
	shellLangs = wordSet("bash sh shell zsh fish powershell ps1 cmd bat")
	// transcripts show what happened, never a file.
	transcripts = wordSet("console shell-session shellsession terminal output log stdout stderr diff patch")
)

func extension(name string) string { return strings.ToLower(path.Ext(name)) }

func isCode(name string) bool      { return codeFiles()[extension(name)] }
func isProse(name string) bool     { return proseFiles()[extension(name)] }
func isPatchFile(name string) bool { return extension(name) == ".patch" || extension(name) == ".diff" }

func isCodeLang(lang string) bool   { return codeLangs()[lang] || isCode("x."+lang) }
func isTranscript(lang string) bool { return transcripts()[lang] }
func isShell(lang string) bool      { return shellLangs()[lang] || isTranscript(lang) }

// holdsShell reports files that may have the shell lines of a fence as content.
func holdsShell(name string) bool {
	ext := extension(strings.TrimPrefix(path.Base(name), "."))
	return ext == "" || isShell(ext[1:])
}

// isScript reports whether a text begins with an interpreter line.
func isScript(text string) bool { return strings.HasPrefix(strings.TrimLeft(text, " \t\n"), "#!") }
