package format

import (
	"cmp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reTAP = text.Lazy(`^( *)(ok|not ok)(?:\s+(\d+))?(?: -)?(?:\s(.*?))??(?:\s+# (?i:(SKIP|TODO|` +
		`time=))\S*(.*))?( \{)?$`)
	reStepsFailed = text.Lazy(`^'?\d+ (?:test steps?|subtests?) failed|^contains \d+ failed subtests?`)
	reTAPSub      = text.Lazy(`^( *)# Subtest:? ?(.*)$`)
	reTAPPlan     = text.Lazy(`^( *)1\.\.(\d+)(?:\s*#\s*(?i:skip).*)?$`)
	reTAPSum      = text.Lazy(`^# (tests|suites|pass|fail|ok|not ok|cancelled|skipped|skip|todo) +(\d+)$`)
)

// readTAP reads the Test Anything Protocol, versions 12 to 14, with the dialects of
// node:test, tap, tape, ava, bats and Perl's Test::More.
func readTAP(d *stream.Stream, f *core.Result) {
	wanted, prove := false, false
	for i := range d.Lines {
		s := strings.TrimLeft(d.Lines[i].S, " ")
		prove = prove || strings.HasPrefix(s, "Files=") && strings.Contains(s, ", Tests=")
		if strings.HasPrefix(s, "TAP version") || strings.HasPrefix(s, "not ok ") ||
			strings.HasPrefix(s, "ok 1") || strings.HasPrefix(s, "# tests ") ||
			strings.HasPrefix(s, "1..") && reTAPPlan().MatchString(s) {
			wanted = true
		}
	}
	if !wanted {
		return
	}
	t := &tapReader{d: d, f: f, sums: map[string]int{}, prove: prove}
	for i := 0; i < len(d.Lines); i++ {
		if !d.Lines[i].Used {
			i = t.line(i)
		}
	}
	t.finish()
}

type tapReader struct {
	d         *stream.Stream
	f         *core.Result
	names     []tapName // open subtests
	comments  []string  // since the last result
	sums      map[string]int
	ran       []core.Ran
	seen      bool
	child     []int  // indents at which results came, for parents
	title     string // tape: a comment names the test
	plan      int
	assertion bool
	prove     bool // prove -v prints "ok" under the results of each file
}

type tapName struct {
	indent int
	name   string
}

func (t *tapReader) line(i int) int {
	l := &t.d.Lines[i]
	s := l.S
	trim := strings.TrimLeft(s, " ")
	switch {
	case strings.HasPrefix(trim, "# Subtest"):
		m := reTAPSub().FindStringSubmatch(s)
		l.Used = true
		for len(t.names) > 0 && t.names[len(t.names)-1].indent >= len(m[1]) {
			t.names = t.names[:len(t.names)-1]
		}
		t.names = append(t.names, tapName{len(m[1]), m[2]})
	case strings.HasPrefix(trim, "#"):
		if m := reTAPSum().FindStringSubmatch(s); m != nil {
			t.sums[m[1]] += text.Atoi(m[2])
			l.Used = true
			t.f.CountedAt(l.No)
			return i
		}
		if len(t.comments) < 400 {
			t.comments = append(t.comments, trim)
		}
		if strings.HasPrefix(s, "# ") {
			t.title = s[2:]
		}
		if t.seen {
			l.Used = true
		}
	case strings.HasPrefix(trim, "1.."):
		if m := reTAPPlan().FindStringSubmatch(s); m != nil {
			l.Used = true
			if m[1] == "" {
				t.plan += text.Atoi(m[2])
			}
		}
	case strings.HasPrefix(trim, "ok ") || strings.HasPrefix(trim, "not ok") || trim == "ok" && !t.prove:
		if m := reTAP().FindStringSubmatch(s); m != nil && (m[3] != "" || t.seen || t.plan > 0) {
			l.Used, t.seen = true, true
			t.f.CountedAt(l.No)
			return t.result(i, m)
		}
	case strings.HasPrefix(trim, "Bail out!"):
		t.f.Fail(core.Failure{Kind: core.KindCrash, Message: trim, Runner: "TAP", Detail: t.comments})
	}
	return i
}

func (t *tapReader) result(i int, m []string) int {
	indent, ok, name, directive := len(m[1]), m[2] == "ok", m[4], strings.ToUpper(m[5])
	if directive == "TIME=" {
		directive = ""
	}
	if directive == "TODO" {
		ok = true
	}
	parent := false
	for len(t.child) > 0 && t.child[len(t.child)-1] > indent {
		parent = true
		t.child = t.child[:len(t.child)-1]
	}
	if n := len(t.child); n == 0 || t.child[n-1] < indent {
		t.child = append(t.child, indent)
	}
	// The name of this test is the last open subtest at its indentation; without one it is
	// an assertion inside a test.
	t.assertion = true
	for len(t.names) > 0 && t.names[len(t.names)-1].indent >= indent {
		t.assertion = false
		t.names = t.names[:len(t.names)-1]
	}
	before := t.comments
	t.comments = nil
	yaml, after, next := t.below(i+1, indent, ok)
	test := core.Ran{Test: testreport.Test{Name: name, Outcome: testreport.Passed}}
	switch {
	case parent: // told by its children
		return next - 1
	case directive == "SKIP":
		test.Outcome = testreport.Skipped
	case directive == "TODO":
		t.f.Todo++
		return next - 1
	case !ok:
		test.Outcome, test.Failures = testreport.Failed, t.failures(name, before, yaml, after)
	}
	t.ran = append(t.ran, test)
	return next - 1
}

// below reads the YAML block or the comments after a result.
func (t *tapReader) below(i, indent int, ok bool) (yaml, comments []string, next int) {
	lines := t.d.Lines
	if i < len(lines) && strings.TrimSpace(lines[i].S) == "---" {
		lines[i].Used = true
		for i++; i < len(lines); i++ {
			lines[i].Used = true
			if strings.TrimSpace(lines[i].S) == "..." {
				return yaml, nil, i + 1
			}
			yaml = append(yaml, lines[i].S)
		}
		return yaml, nil, i
	}
	// mocha indents the message instead.
	for ; i < len(lines) && len(comments) < 300; i++ {
		s := lines[i].S
		if s == "" && len(comments) > 0 && i+1 < len(lines) && text.IndentOf(lines[i+1].S) > indent {
			comments = append(comments, "") // within a message of several paragraphs
			continue
		}
		if text.IndentOf(s) <= indent || s == "" || reTAP().MatchString(s) ||
			strings.HasPrefix(strings.TrimSpace(s), "#") {
			break
		}
		lines[i].Used = true
		comments = append(comments, s)
	}
	if len(comments) > 0 || ok { // a comment behind a pass is the title of what follows
		return nil, comments, i
	}
	for ; i < len(lines); i++ {
		s := strings.TrimLeft(lines[i].S, " ")
		if !strings.HasPrefix(s, "#") || strings.HasPrefix(s, "# Subtest") || reTAPSum().MatchString(s) {
			break
		}
		lines[i].Used = true
		comments = append(comments, strings.TrimPrefix(strings.TrimPrefix(s, "#"), " "))
	}
	return nil, comments, i
}

// failures returns what a failed result says, with the lines around it.
func (t *tapReader) failures(name string, before, yaml, after []string) (findings []core.Failure) {
	var path []string
	for _, n := range t.names {
		path = append(path, n.name)
	}
	if rel, ok := t.f.Root.Resolve(name, ""); ok {
		name = rel
		for _, s := range after { // a linter reports each file as a test
			if g, ok := core.ParseDiag(s, t.f.Root); ok && g.Severity+g.Code != "" {
				findings = append(findings, core.Failure{File: g.File, Line: g.Line, Column: g.Col, Message: g.Text,
					Kind: core.KindLint, Runner: toolOf(g.File)})
			}
		}
		if len(findings) > 0 {
			return findings
		}
	}
	name = core.WithoutTook(name)
	x := core.Failure{Test: strings.Join(append(path, name), " > "), Kind: core.KindTest, Runner: "TAP"}
	whole := strings.TrimSpace(strings.Join(yaml, "\n"))
	switch {
	case t.assertion && len(path) > 0 && whole != "" && whole[0] != '{':
		x.Test, x.Message = strings.Join(path, " > "), name
	case t.assertion && t.title != "" && strings.Contains(whole, "operator:"):
		x.Test, x.Message = t.title, name
	}
	block := after
	if whole != "" {
		block = diagnosis(&x, yaml)
	}
	bare := len(block) == 0 || len(block) == 1 && block[0] == "test failed"
	for k, s := range before {
		before[k] = strings.TrimPrefix(strings.TrimPrefix(s, "#"), " ")
		if bare && reErrorHead().MatchString(before[k]) { // it failed as a whole
			x.Message, block = before[k], before
		} else if g, ok := core.CutPlace(strings.TrimPrefix(before[k], "file://"), t.f.Root); bare && ok &&
			g.Text == "" {
			x.File, x.Line = g.File, g.Line
		}
	}
	core.Explain(&x, block)
	// of a linter, whose tests are files
	if strings.Contains(whole, "severity: ") && sourcePath(name) {
		x.Test, x.File, x.Kind = "", name, core.KindLint
		x.Detail = strings.Split(strings.ReplaceAll(strings.Join(yaml, "\n"), "''", "'"), "\n")
	}
	x.Output = slices.Concat(after, before, yaml)
	x.Weak = x.Message == "" || reStepsFailed().MatchString(x.Message)
	x.Message = cmp.Or(x.Message, "not ok")
	return []core.Failure{x}
}

func (t *tapReader) finish() {
	t.f.Format = "TAP"
	sum, _ := t.f.File(t.ran)
	if n, told := t.sums["tests"]; !t.seen && (!told || n > 0) {
		return
	}
	sum.Passed, t.f.Tally.TapOK = sum.Passed+t.f.Tally.TapOK, 0
	if n, ok := t.sums["pass"]; ok {
		sum = core.NewTotal(n, t.sums["fail"]+t.sums["cancelled"],
			max(t.sums["skipped"]+t.sums["skip"], sum.Skipped))
	}
	t.f.Total(sum.Passed, sum.Failed, sum.Skipped)
}
