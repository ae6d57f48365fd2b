package format

import (
	"regexp"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// expr compiles an expression when it is first needed. {file} and the like in it are
// groups of these names.
func expr(s string) func() *regexp.Regexp { return text.LazyWith(places, s) }

// places are the words of expr. Those are many: each program that starts would pay for them.
var places = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		`{file}`, `(?P<file>(?:[A-Za-z]:)?[^\s:"]+)`, `{line}`, `(?P<line>\d+)`, `{col}`, `(?P<col>\d+)`,
		`{:line:col}`, `(?::(?P<line>\d+)(?::(?P<col>\d+))?)`, `{msg}`, `(?P<msg>.+)`, `{rule}`, `(?P<rule>\S+)`,
		`{name}`, `(?P<name>\S.*?)`, `{sev}`, `(?P<sev>(?i:error|warning|info))`,
	)
})

// arrow is a place in a line of its own, in the top of a frame or beside an arrow.
const arrow = `^\s*(?:-->|:::|[╭┌,]─+\[|┌─+|,-\[|╭▸|└─) ?(?P<file>(?:[A-Za-z]:)?[^:\]]+?):{line}:{col}`

var (
	reBlank = text.Lazy(`^$`)
	// reNextHead ends a frame: blank lines may be missing where each line has a stamp.
	reNextHead = text.Lazy(`^(?:$|(?:error|warning)(?:\[|: )|\s*[×✖⚠] |[A-Z]{1,5}\d{3,4} )`)
	reBlankOr  = text.Lazy(`^(?:$|\S)`)
)

// findings are tried in order; the first whose head fits decides.
var findings = []finding{
	// eslint and others: compact, codeframe, table, stylish
	{marks: []string{": line "}, head: expr(`^{file}: line {line}, col {col}, (?:{sev} - )?{msg}$`)},
	{marks: []string{" at "}, head: expr(`^{sev}: {msg} at {file}{:line:col}?:$`),
		until: text.Lazy(`^(?:error|warning): | found\.$`)},
	{under: true, marks: []string{"│", "|"}, head: expr(`^[║|│] +{line} +[│|] +{col} +[│|] +{sev} +[│|] +` +
		`(?P<msg>\S.*?) +[│|] +(?P<rule>\S*) +[║|│]$`)},
	{runner: "eslint", under: true,
		head: expr(`^\s+{line}:{col}\s+(?P<sev>error|warning)\s+(?P<msg>.+?)(?:\s{2,}{rule})?$`)},
	// stylelint, rubocop
	{under: true, head: expr(`^\s+{line}:\s*{col}:?\s+(?P<sev>[✖⚠ℹ×!]|error|warning|info)\s+{msg}$`)},
	{under: true, head: expr(`^[CRWEFI]:\s*{line}:\s*{col}:?\s+{msg}$`)},
	{runner: "shellcheck", under: true, marks: []string{"^"},
		head: expr(`^(?P<pad> *)\^-*\^? *(?P<msg>SC\d+(?: \(\w+\))?: .+)$`)},
	{runner: "biome", marks: []string{"━━"}, head: expr(`^{file}{:line:col}? {rule}(?: +[A-Z]+)?\s+━+$`),
		below: expr(`^\s+(?P<sev>[×✖!i⚠]) {msg}$`), until: text.Lazy(`^\S`)},
	{runner: "bandit", marks: []string{">> Issue: "}, head: expr(`^>> Issue: {msg}$`),
		below: expr(`^\s+Location: {file}{:line:col}$`), until: text.Lazy(`^-----`)},
	{runner: "ansible-lint", marks: []string{" Task/Handler: "},
		head:  expr(`^{file}{:line:col} Task/Handler: `),
		above: expr(`^(?P<msg>\S.*)$`)},
	{runner: "credo", marks: []string{"┃ ["}, head: expr(`^┃ \[\w\] \S+ {msg}$`),
		below: expr(`^┃\s+{file}{:line:col}\b`)},
	// flutter, dart, psalm, svelte-check, rustfmt
	{marks: []string{" • "}, head: expr(`^\s*{sev} • {msg} • {file}:{line}:{col} • {rule}$`)},
	{marks: []string{" - "}, head: expr(`^\s*{sev} - {file}:{line}:{col} - {msg} - {rule}$`)},
	{kind: core.KindType, marks: []string{" - "}, head: expr(`^{sev}: {rule} - {file}:{line}:{col} - {msg}$`)},
	{marks: []string{` "`}, head: expr(`^\d+ {sev} "{file}" {line}:{col} "{msg}"$`)},
	{marks: []string{"Diff in "}, head: expr(`^Diff in {file}(?: at line |:){line}:?$`),
		until: text.Lazy(`^$|^Diff in `)},

	{runner: "formatter", kind: core.KindCompile, marks: []string{"error"},
		head: expr(`^(?:error: cannot format |\[error\] ){file}: (?P<msg>.*[ (]{line}:{col}(?:\)|: .*))$`)},
	{runner: "formatter", marks: []string{"[warn] ", "would reformat ", "ERROR: ", "Not formatted: "},
		head: expr(`^(?:ERROR: |\[warn\] |would reformat |Not formatted: ){file}(?: {msg})?$`)},
	{runner: "terraform", kind: core.KindCompile, marks: []string{"Error: "},
		head:  expr(`^(?:[│|] )?Error: {msg}$`),
		below: expr(`^[│|]?\s*on {file} line {line}(?:, in .*)?:?$`),
		until: text.Lazy(`^╵|^(?:│ )?Error: `)},
	// esbuild, webpack, rollup
	{runner: "bundler", kind: core.KindCompile, marks: []string{"[ERROR] ", "[WARNING] "},
		head:  expr(`^(?:[✘✗×X] )?\[(?P<sev>ERROR|WARNING)\] {msg}$`),
		below: expr(`^\s+{file}:{line}:{col}:$`), until: reBlankOr},
	{runner: "webpack", kind: core.KindCompile, marks: []string{"ERROR in ", "WARNING in "},
		head:  expr(`^(?P<sev>ERROR|WARNING) in {file}(?: {line}:{col}(?:-\d+)?(?::\d+)?)?$`),
		below: expr(`^(?P<msg>\S.*)$`), until: text.Lazy(`^$|^(?:ERROR|WARNING) in `)},
	{runner: "rollup", kind: core.KindCompile, marks: []string{"[!] "},
		head:  expr(`^\[!\] (?:\([^)]*\) )?{msg}$`),
		below: expr(`^(?P<file>[^\s:(]+)(?: \(|:){line}:{col}`), until: text.Lazy(`^$|^    at `)},
	{runner: "rollup", kind: core.KindCompile, marks: []string{"[!] "}, until: text.Lazy(`^$|^    at `),
		head: expr(`^\[!\] (?:\([^)]*\) )?(?P<msg>.+ (?:in|from) "?(?P<file>[\w./@-]+\.\w{1,6})"?)$`)},
	// OCaml; svelte-check, next, gfortran
	{kind: core.KindCompile, marks: []string{`File "`}, until: reBlankOr,
		head:  expr(`^File "{file}", lines? {line}(?:-\d+)?, characters \d+-\d+:?`),
		below: expr(`^(?P<sev>Error|Warning|Alert)\b.*?: {msg}$`)},
	{kind: core.KindCompile, marks: []string{":"}, head: expr(`^(?P<file>[^\s:]+\.\w+):{line}:{col}:?$`),
		below: expr(`^(?P<sev>(?:Fatal |Type |Syntax |Parsing )?[Ee]rror|Warn(?:ing)?|Hint|Module not found)` +
			`(?: \(.*?\))?: {msg}$`),
		block: text.Lazy(`^(?:$|\s|\d|.*[|^])`), until: text.Lazy(`^(?:$|[^\s<ei])`)},

	{runner: "rustc", kind: core.KindCompile, marks: []string{".rs:"}, head: expr(arrow), until: reNextHead,
		above: expr(`^(?P<msg>(?P<sev>error|warning)(?:\[[\w:-]+\])?: .+)$`)},
	{runner: "ruff", marks: []string{"--> "}, head: expr(arrow), until: reNextHead,
		above: expr(`^(?P<msg>[A-Z]{1,5}\d{3,4} .*)$`)},
	{runner: "javascript linter", marks: []string{"--> "}, head: expr(arrow), until: reNextHead, // deno lint
		above: expr(`^(?P<msg>(?P<sev>error|warning)\[[a-z-]+\]: .+)$`)},
	{runner: "oxlint", marks: []string{"─["}, head: expr(arrow), until: reNextHead,
		above: expr(`^\s*(?:[×✖x] |(?P<sev>[⚠!]) )(?P<msg>[\w-]+\([\w-]+\): .*)$`)},
	{marks: []string{"--> ", "─[", "┌─", ",-[", "╭▸", "└─ "}, head: expr(arrow),
		until: reNextHead, // elixir, miette
		above: expr(`^(?:\s*[×✖x] )?(?:\s*(?P<sev>[⚠!]|warning:) )?(?P<msg>[[\w].*)$`)},
	{runner: "cargo", kind: core.KindCompile, marks: []string{"error"}, until: text.Lazy(`^(?:$|[^ C])`),
		head: expr(`^(?P<msg>error(?:\[[\w:-]+\])?: (?:linking with|failed to|no matching package|` +
			`no such command).*)$`)},
	{runner: "npm", kind: core.KindError, marks: []string{"npm "}, wrapped: true,
		head:  expr(`^(?P<msg>npm (?:ERR!|error) code (?:[A-DF-Z]|E[^L])\w*)$`),
		until: text.Lazy(`^npm (?:ERR!|error) (?:Usage|A complete log|Options):|^[^n]`)},
}
