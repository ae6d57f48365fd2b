package distill

import (
	"strings"
)

var (
	reGenFail   = lazy(`^(\s*)(?:\[?(?:FAIL(?:ED|URE)?|Fail(?:ed|ure)?|ERROR|✗|✘|✖|✕|×|❌|✔️?✗|x)\]?[:!]? +|not ok +(?:\d+ +)?-? *)(\S.*?)(?: +[\[(]?[\d.]+ ?m?s[\])]?)?$`)
	reGenTail   = lazy(`^(\s*)(\S.*?)[ .:]+\[?(?:FAIL(?:ED)?|FAILED!|Failed|✗|✘|✖|✕|❌)\]?(?: +[\[(]?[\d.]+ ?m?s[\])]?)?$`)
	reBareFrame = lazy(`^[\w.<>\[\] ]+ \([^\s():]+:\d+:\d+\)$`)
	reGenSum    = lazy(`\b\d+ (?:failed|failing|passed|passing|skip|skipped|of \d+)\b`)
	reGenNum    = lazy(`(?i)(?:(\d+) (?:tests? |specs? |cases? |scenarios? |examples? )?(pass(?:ed|ing|es)?|succeeded|successes|ok|fail(?:ed|ing|ures?|s)?|errors?|skipped|pending|ignored)\b|\b(pass(?:ed|es)?|succeeded|fail(?:ed|ures?)?|errors?|skipped|ignored|pending)\s*[:=]\s*(\d+))`)
)

// readGeneric is for test runners that no other format knows. It goes by what
// nearly all have in common: a mark of failure, a name, and below it a message
// that is indented or ends at a blank line; and a sum at the end.
func readGeneric(d *doc, f *found) {
	told := len(f.totals)+len(f.reports) > 0
	if len(f.failures) > 0 || told && f.green() {
		return
	}
	if !told {
		f.genericTotal(d)
	}
	counted := told || len(f.totals) > 0
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || len(l.s) < 5 || len(l.s) > 300 {
			continue
		}
		m := reGenFail().FindStringSubmatch(l.s)
		if m == nil {
			m = reGenTail().FindStringSubmatch(l.s)
		}
		if m == nil || !nameLike(m[2]) {
			continue
		}
		x := Failure{Test: strings.Trim(m[2], "\"'` :"), Kind: KindTest, runner: "test runner"}
		j := i + 1
		for ; j < len(d.lines) && j < i+60; j++ {
			s := d.lines[j].s
			if s == "" {
				if j+1 < len(d.lines) && indentOf(d.lines[j+1].s) > len(m[1]) && d.lines[j+1].s != "" {
					continue
				}
				break
			}
			if indentOf(s) < len(m[1]) || reGenFail().MatchString(s) || reGenTail().MatchString(s) {
				break
			}
			if indentOf(s) <= len(m[1]) && !counted {
				break
			}
			x.detail = append(x.detail, s)
		}
		x.Frames = framesOf(x.detail)
		for _, s := range x.detail {
			t := strings.TrimSpace(s)
			if v, ok := strings.CutPrefix(t, "test: "); ok && x.Message == "" { // node-tap
				x.Message, x.Test = x.Test, strings.TrimSpace(v)
			}
			if reBareFrame().MatchString(t) {
				if fr, ok := parseFrame("at " + t); ok {
					x.Frames = append(x.Frames, fr)
				}
			}
		}
		for _, s := range x.detail {
			if x.File != "" {
				break
			}
			if g, ok := anyPlace(s, f.root); ok {
				x.File, x.Line, x.Column = g.file, g.line, g.col
			}
		}
		x.detail = trimBlock(withoutFrames(x.detail))
		if len(x.detail) > 0 && x.Message == "" {
			x.Message, x.detail = strings.TrimSpace(x.detail[0]), x.detail[1:]
		}
		x.weak = x.Message == "" && x.File == ""
		if x.weak && !counted {
			continue // nothing below it and no sum: a line of a log
		}
		f.placeOf(&x)
		f.loose = append(f.loose, x)
	}
}

// nameLike tells the name of a test from prose.
func nameLike(s string) bool {
	low := strings.ToLower(s)
	for _, w := range []string{"to ", "with ", "because ", "in ", "at ", "build", "command", "process", "exit", "tests", "test suite", "assertion", "expected", "(", "test run", "run "} {
		if strings.HasPrefix(low, w) {
			return false
		}
	}
	if reGenSum().MatchString(low) {
		return false // "a.test.js 2 failed 1 skip of 5"
	}
	letters := 0
	for _, c := range low {
		if c >= 'a' && c <= 'z' || c > 0x2fff || c >= 0xc0 && c < 0x250 {
			letters++
		}
	}
	if strings.Contains(low, " failed of ") || strings.HasPrefix(low, "fail") || strings.HasPrefix(low, "error") || strings.HasPrefix(low, "panic") {
		return false
	}
	return letters >= 3 && !strings.HasSuffix(s, ".") && len(s) < 200 && !onlyDigits(s) && !strings.Contains(s, "://")
}

// anyPlace finds "file:12" anywhere in a line.
func anyPlace(s string, root *tree) (diag, bool) {
	for _, w := range strings.FieldsFunc(s, func(c rune) bool {
		return c == ' ' || c == '\t' || c == '(' || c == ')' || c == '[' || c == ']' || c == '"' || c == '\'' || c == ',' || c == '`'
	}) {
		if g, ok := cutPlace(strings.TrimSuffix(strings.TrimPrefix(w, "file://"), ":"), root); ok && g.line > 0 {
			if _, in := root.resolve(g.file, ""); in {
				return g, true
			}
		}
	}
	return diag{}, false
}

// genericTotal takes the last line that counts in at least two words.
func (f *found) genericTotal(d *doc) {
	for i := len(d.lines) - 1; i >= 0 && i > len(d.lines)-60; i-- {
		s := d.lines[i].s
		if len(s) > 300 || !strings.ContainsAny(s, "0123456789") {
			continue
		}
		all := reGenNum().FindAllStringSubmatch(s, -1)
		if len(all) < 2 {
			continue
		}
		t := total{-1, -1, -1}
		for _, m := range all {
			word, n := strings.ToLower(m[2]+m[3]), atoi(m[1]+m[4])
			switch {
			case strings.HasPrefix(word, "pass") || strings.HasPrefix(word, "succe") || word == "ok":
				t.passed = max(t.passed, 0) + n
			case strings.HasPrefix(word, "fail") || strings.HasPrefix(word, "error"):
				t.failed = max(t.failed, 0) + n
			default:
				t.skipped = max(t.skipped, 0) + n
			}
		}
		if t.passed >= 0 && t.failed >= 0 {
			f.format = "test runner"
			f.totals = append(f.totals, t)
			f.saw("test runner")
			return
		}
	}
}
