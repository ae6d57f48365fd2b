package weaken

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	goBuild = pattern.Lazy(`^\s*//\s*(go:build|go:linkname|\+build|go:debug|go:embed)`)
	pragma  = pattern.Lazy(`@(jest|vitest)-|bats (file_tags|test_tags)=|bats:focus|@ts-nocheck|` +
		`doctest:\s*\+SKIP|flake8: noqa`)
	phpunit = pattern.Lazy(`@(group|requires|doesNotPerformAssertions|depends|dataProvider|` +
		`before\w*|after\w*|runInSeparateProcess|large|medium|small)\b`)
	goExample = pattern.Lazy(`^func Example`)
)

// checkComments refuses comments that mean something to a runner.
func (r *reading) checkComments(h diff.Hunk) string {
	for i := h.From; i < h.To; i++ {
		line := r.new.Lines[i]
		bad := r.lang.Name == "go" && goBuild().MatchString(line) ||
			pragma().MatchString(r.new.Comment(i))
		if r.lang.Name == "php" && r.new.Blank(i) && phpunit().MatchString(line) {
			if _, next := r.new.Around(i, i); next >= h.To {
				bad = bad || !r.givesRows(i)
			}
		}
		if b := r.new.Outline.At[i]; r.lang.Name == "go" && b != nil && b.Line < h.From &&
			goExample().MatchString(b.Header) {
			bad = bad || r.new.Blank(i) && strings.TrimSpace(line) != "" || r.afterOutput(b, i)
		}
		if bad {
			return fmt.Sprintf("The added comment %q tells the runner to treat the test differently.",
				diff.Shorten(line))
		}
	}
	return ""
}

var (
	phpRows   = pattern.Lazy(`^\s*\*\s*@dataProvider\s+(\w+)\s*$`)
	phpStarts = pattern.Lazy(`(?i)skip|incomplete|\bthrow\b|\bexit\b|\bdie\b|\bfail\b`)
)

// givesRows tells, in PHPUnit, one more function that gives rows to a case which has such
// already: one that was added with it and that ends nothing.
func (r *reading) givesRows(i int) bool {
	t := r.new
	m := phpRows().FindStringSubmatch(strings.TrimRight(t.Lines[i], "\r\n"))
	beside := func(k int) bool {
		return k >= 0 && k < len(t.Lines) && !r.added[k] && phpRows().MatchString(strings.TrimRight(t.Lines[k], "\r\n"))
	}
	if m == nil || !beside(i-1) && !beside(i+1) {
		return false
	}
	for k, code := range t.Code {
		if !r.added[k] || !strings.Contains(code, "function "+m[1]+"(") {
			continue
		}
		for n := k + 1; n < len(t.Code) && r.added[n]; n++ {
			if phpStarts().MatchString(t.Code[n]) {
				return false
			}
			if t.Outline.At[n+1] == t.Outline.At[k] && strings.TrimSpace(t.Code[n]) == "}" {
				return true
			}
		}
	}
	return false
}

var goOutput = pattern.Lazy(`(?i)^\s*//\s*(unordered )?output:`)

// afterOutput tells a line of an example that stands below what it must print:
// there it would make a mere remark of that.
func (r *reading) afterOutput(example *source.Block, i int) bool {
	for k := example.Line + 1; k < i; k++ {
		if goOutput().MatchString(r.new.Lines[k]) {
			return strings.TrimSpace(r.new.Lines[i]) != ""
		}
	}
	return false
}

// command is a comment that tells a compiler, a checker of types or a runner what to do.
// What tells a linter, a formatter or a measure of coverage to look away says nothing of
// what runs.
var command = pattern.Lazy(`(?i)@ts-|@flow\b|\btype:\s*ignore|\bpragma\b|` +
	`\b(mypy|pyright|pytype|dialyzer)\b\s*[:=]|\bflake8:\s*noqa|` +
	`\bgo:\w+|^//\s*\+build|^//line |\bexport \w+$|\bcgo\b|frozen_string_literal|-\*-|\bcoding[:=]|` +
	`\bdoctest:|` +
	`@(phpstan|psalm|phan|test\b|group|requires|doesNotPerform|depends|` +
	`dataProvider|testWith|covers|before|after|runInSeparate|runTestsIn|large\b|medium\b|small\b|` +
	`backupGlobals|expectedException|preserveGlobalState)|` +
	`@(jest|vitest|vite|jsx|jsxImportSource)|\bbats (file_tags|test_tags)=|bats:focus|` +
	`\bwebpack[A-Z]\w+:|[#@]__(PURE|NO_SIDE_EFFECTS)__|sourceMappingURL|^#!`)

// measured tells where a measure of coverage for Python looks.
var measured = pattern.Lazy(`\bpragma:\s*(?:no\s+|[<>=!]{1,2}\s*[\d.]+\s+)?(?:cover|branch)\b`)

func commandsTool(comment string) bool {
	return command().MatchString(measured().ReplaceAllString(comment, ""))
}
