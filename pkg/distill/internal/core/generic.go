package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reGenFail   = Lazy(`^(\s*)(?:\[?(?:FAIL(?:ED|URE)?|Fail(?:ed|ure)?|ERROR|✗|✘|✖|✕|×|❌|✔️?✗|x)\]?[:!]? +|not ok +(?:\d+ +)?-? *)(\S.*?)(?: +[\[(]?[\d.]+ ?m?s[\])]?)?$`)
	reGenTail   = Lazy(`^(\s*)(\S.*?)[ .:]+\[?(?:FAIL(?:ED)?|FAILED!|Failed|✗|✘|✖|✕|❌)\]?(?: +[\[(]?[\d.]+ ?m?s[\])]?)?$`)
	reBareFrame = Lazy(`^[\w.<>\[\] ]+ \([^\s():]+:\d+:\d+\)$`)
	reGenSum    = Lazy(`\b\d+ (?:failed|failing|passed|passing|skip|skipped|of \d+)\b`)
	reGenNum    = Lazy(`(?i)(?:(\d+) (?:tests? |specs? |cases? |scenarios? |examples? )?(pass(?:ed|ing|es)?|succeeded|successes|ok|fail(?:ed|ing|ures?|s)?|errors?|skipped|pending|ignored)\b|\b(pass(?:ed|es)?|succeeded|fail(?:ed|ures?)?|errors?|skipped|ignored|pending)\s*[:=]\s*(\d+))`)
)

// ReadGeneric is for test runners that no other format knows. It goes by what
// nearly all have in common: a mark of failure, a name, and below it a message
// that is indented or ends at a blank line; and a sum at the end.
func ReadGeneric(d *stream.Doc, f *Found) {
	told := len(f.Totals)+len(f.Reports) > 0
	if len(f.Failures) > 0 || told && f.green() {
		return
	}
	if !told {
		f.genericTotal(d)
	}
	counted := told || len(f.Totals) > 0
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || len(l.S) < 5 || len(l.S) > 300 {
			continue
		}
		m := reGenFail().FindStringSubmatch(l.S)
		if m == nil {
			m = reGenTail().FindStringSubmatch(l.S)
		}
		if m == nil || !nameLike(m[2]) {
			continue
		}
		x := Failure{Test: strings.Trim(m[2], "\"'` :"), Kind: KindTest, Runner: "test runner"}
		j := i + 1
		for ; j < len(d.Lines) && j < i+60; j++ {
			s := d.Lines[j].S
			if s == "" {
				if j+1 < len(d.Lines) && IndentOf(d.Lines[j+1].S) > len(m[1]) && d.Lines[j+1].S != "" {
					continue
				}
				break
			}
			if IndentOf(s) < len(m[1]) || reGenFail().MatchString(s) || reGenTail().MatchString(s) {
				break
			}
			if IndentOf(s) <= len(m[1]) && !counted {
				break
			}
			x.Detail = append(x.Detail, s)
		}
		x.Frames = FramesOf(x.Detail)
		for _, s := range x.Detail {
			t := strings.TrimSpace(s)
			if v, ok := strings.CutPrefix(t, "test: "); ok && x.Message == "" { // node-tap
				x.Message, x.Test = x.Test, strings.TrimSpace(v)
			}
			if reBareFrame().MatchString(t) {
				if fr, ok := ParseFrame("at " + t); ok {
					x.Frames = append(x.Frames, fr)
				}
			}
		}
		for _, s := range x.Detail {
			if x.File != "" {
				break
			}
			if g, ok := AnyPlace(s, f.Root); ok {
				x.File, x.Line, x.Column = g.File, g.Line, g.Col
			}
		}
		x.Detail = TrimBlock(WithoutFrames(x.Detail))
		if len(x.Detail) > 0 && x.Message == "" {
			x.Message, x.Detail = strings.TrimSpace(x.Detail[0]), x.Detail[1:]
		}
		x.Weak = x.Message == "" && x.File == ""
		if x.Weak && !counted {
			continue // nothing below it and no sum: a line of a log
		}
		f.PlaceOf(&x)
		f.Loose = append(f.Loose, x)
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
	return letters >= 3 && !strings.HasSuffix(s, ".") && len(s) < 200 && !stream.OnlyDigits(s) && !strings.Contains(s, "://")
}

// AnyPlace finds "file:12" anywhere in a line.
func AnyPlace(s string, root *Tree) (Diag, bool) {
	for _, w := range strings.FieldsFunc(s, func(c rune) bool {
		return c == ' ' || c == '\t' || c == '(' || c == ')' || c == '[' || c == ']' || c == '"' || c == '\'' || c == ',' || c == '`'
	}) {
		if g, ok := CutPlace(strings.TrimSuffix(strings.TrimPrefix(w, "file://"), ":"), root); ok && g.Line > 0 {
			if _, in := root.Resolve(g.File, ""); in {
				return g, true
			}
		}
	}
	return Diag{}, false
}

// genericTotal takes the last line that counts in at least two words.
func (f *Found) genericTotal(d *stream.Doc) {
	for i := len(d.Lines) - 1; i >= 0 && i > len(d.Lines)-60; i-- {
		s := d.Lines[i].S
		if len(s) > 300 || !strings.ContainsAny(s, "0123456789") {
			continue
		}
		all := reGenNum().FindAllStringSubmatch(s, -1)
		if len(all) < 2 {
			continue
		}
		t := Total{-1, -1, -1}
		for _, m := range all {
			word, n := strings.ToLower(m[2]+m[3]), Atoi(m[1]+m[4])
			switch {
			case strings.HasPrefix(word, "pass") || strings.HasPrefix(word, "succe") || word == "ok":
				t.Passed = max(t.Passed, 0) + n
			case strings.HasPrefix(word, "fail") || strings.HasPrefix(word, "error"):
				t.Failed = max(t.Failed, 0) + n
			default:
				t.Skipped = max(t.Skipped, 0) + n
			}
		}
		if t.Passed >= 0 && t.Failed >= 0 {
			f.Format = "test runner"
			f.Totals = append(f.Totals, t)
			f.Saw("test runner")
			return
		}
	}
}
