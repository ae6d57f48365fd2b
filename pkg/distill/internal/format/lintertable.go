package format

import (
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// arrow is a place on its own line, at the top of a frame or next to an arrow.
const arrow = `^\s*(?:-->|:::|[╭┌,]─+\[|┌─+|,-\[|╭▸|└─) ?(?P<file>(?:[A-Za-z]:)?[^:\]]+?):{line}:{col}`

var (
	reBlank = text.Lazy(`^$`)
	// reNextHead ends a frame: blank lines may be missing where each line has a stamp.
	reNextHead = text.Lazy(`^(?:$|(?:error|warning)(?:\[|: )|\s*[×✖⚠] |[A-Z]{1,5}\d{3,4} )`)
	reBlankOr  = text.Lazy(`^(?:$|\S)`)
)

// findings are tried in order; the first with a matching head is used.
var findings = []finding{
	// eslint and others: compact, codeframe, table, stylish
	{marks: []string{": line "}, head: expr(`^{file}: line {line}, col {col}, (?:{sev} - )?{msg}$`)},
	{runner: "eslint", under: true,
		head: expr(`^\s+{line}:{col}\s+(?P<sev>error|warning)\s+(?P<msg>.+?)(?:\s{2,}{rule})?$`)},
	// stylelint, rubocop
	{under: true, head: expr(`^\s+{line}:\s*{col}:?\s+(?P<sev>[✖⚠ℹ×!]|error|warning|info)\s+{msg}$`)},
	{under: true, head: expr(`^[CRWEFI]:\s*{line}:\s*{col}:?\s+{msg}$`)},
	{runner: "phpcs", under: true, cells: true, marks: []string{" | ERROR ", " | WARNING "}, until: text.Lazy(`^[^ ]| \| \w|^$`),
		head: expr(`^ *{line} \| (?P<sev>ERROR|WARNING) +\| (?:\[.\] )?{msg}$`)},
	{runner: "shellcheck", under: true, marks: []string{"^"},
		head: expr(`^(?P<pad> *)\^-*\^? *(?P<msg>SC\d+(?: \(\w+\))?: .+)$`)},
	{runner: "biome", marks: []string{"━━"}, head: expr(`^{file}{:line:col}? {rule}(?: +[A-Z]+)?\s+━+$`),
		below: expr(`^\s+(?P<sev>[×✖!i⚠]) {msg}$`), until: text.Lazy(`^\S`)},
	{marks: []string{" • "}, head: expr(`^\s*{sev} • {msg} • {file}:{line}:{col} • {rule}$`)},
	{marks: []string{"Diff in "}, head: expr(`^Diff in {file}(?: at line |:){line}:?$`), // rustfmt
		until: text.Lazy(`^$|^Diff in `)},
	{runner: "formatter", kind: core.KindCompile, marks: []string{"error"},
		head: expr(`^(?:error: cannot format |\[error\] ){file}: (?P<msg>.*[ (]{line}:{col}(?:\)|: .*))$`)},
	{runner: "formatter", marks: []string{"[warn] ", "would reformat ", "ERROR: ", "Not formatted: "},
		head: expr(`^(?:ERROR: |\[warn\] |would reformat |Not formatted: ){file}(?: {msg})?$`)},
	{runner: "terraform", kind: core.KindCompile, marks: []string{"Error: "},
		head:  expr(`^(?:[│|] )?Error: {msg}$`),
		below: expr(`^[│|]?\s*on {file} line {line}(?:, in .*)?:?$`),
		until: text.Lazy(`^╵|^(?:│ )?Error: `)},
	{runner: "bundler", kind: core.KindCompile, marks: []string{"[ERROR] ", "[WARNING] "},
		head:  expr(`^(?:[✘✗×X] )?\[(?P<sev>ERROR|WARNING)\] {msg}$`),
		below: expr(`^\s+{file}:{line}:{col}:$`), until: reBlankOr},
	{runner: "webpack", kind: core.KindCompile, marks: []string{"ERROR in ", "WARNING in "},
		head:  expr(`^(?P<sev>ERROR|WARNING) in {file}(?: {line}:{col}(?:-\d+)?(?::\d+)?)?$`),
		below: expr(`^(?P<msg>\S.*)$`), until: text.Lazy(`^$|^(?:ERROR|WARNING) in `)},
	{kind: core.KindCompile, marks: []string{":"}, head: expr(`^(?P<file>[^\s:]+\.\w+):{line}:{col}:?$`),
		below: expr(`^(?P<sev>(?:Fatal |Type |Syntax |Parsing )?[Ee]rror|Warn(?:ing)?|Hint|Module not found)` +
			`(?: \(.*?\))?: {msg}$`),
		block: text.Lazy(`^(?:$|\s|\d|.*[|^])`), until: text.Lazy(`^(?:$|[^\s<ei])`)},

	{runner: "rustc", kind: core.KindCompile, marks: []string{".rs:"}, head: expr(arrow), until: reNextHead,
		above: expr(`^(?P<msg>(?P<sev>error|warning)(?:\[[\w:-]+\])?: .+)$`)},
	{runner: "ruff", marks: []string{"--> "}, head: expr(arrow), until: reNextHead,
		above: expr(`^(?P<msg>[A-Z]{1,5}\d{3,4} .*)$`)},
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
