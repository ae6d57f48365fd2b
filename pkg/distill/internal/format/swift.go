package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reXCTest = text.Lazy(`^((?:[A-Za-z]:)?[^:]+\.swift|<EXPR>|<unknown>):(\d+): error: (?:-\[)?([\w.]+)` +
		`[. ](\w+)\]? : (.*)$`)
	reXCStart = text.Lazy(`^Test Case '(?:-\[)?([\w.]+)[. ](\w+)\]?' (failed|passed|skipped)`)
	reXCSum   = text.Lazy(`^\s*Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+)` +
		` failures? \((\d+) unexpected\)`)
	reSwiftX = text.Lazy(`^[✘􀢄✗] Test (.+?) (?:recorded an issue at|` +
		`recorded an issue with \d+ argument.*? at) (\S+?):(\d+):(\d+): (.+)$`)
	reSwiftSum = text.Lazy(`^[✘✔􀢄􁁛✗✓] Test run with (\d+) tests?(?: in \d+ suites?)? (passed|failed)` +
		` after [\d.]+ seconds(?: with (\d+) issues?)?`)
)

// readSwift reads XCTest and Swift Testing.
func readSwift(d *stream.Doc, f *core.Found) {
	var last *core.Total
	failed := map[string]bool{}
	passed, skipped := map[string]bool{}, map[string]bool{}
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case (strings.Contains(s, ".swift:") || strings.HasPrefix(s, "<")) &&
			strings.Contains(s, ": error: ") && strings.Contains(s, " : "):
			if m := reXCTest().FindStringSubmatch(s); m != nil {
				l.Used = true
				x := core.Failure{Test: m[3] + "." + m[4], File: m[1], Line: text.Atoi(m[2]), Message: m[5],
					Kind: core.KindTest, Runner: "XCTest"}
				if strings.HasPrefix(x.File, "<") {
					x.File, x.Line = "", 0
				}
				for k := i + 1; k < len(d.Lines) && k < i+20 && d.Lines[k].S != "" &&
					!strings.HasPrefix(d.Lines[k].S, "Test Case") &&
					!reXCTest().MatchString(d.Lines[k].S) &&
					!strings.HasPrefix(d.Lines[k].S, "Test Suite"); k++ {
					x.Detail = append(x.Detail, d.Lines[k].S)
					d.Lines[k].Used = true
				}
				if a, b, ok := strings.Cut(x.Message, `") is not equal to ("`); ok {
					x.Actual = a[strings.Index(a, `("`)+2:]
					x.Expected, _, _ = strings.Cut(b, `")`)
				}
				f.Fail(x)
			}
		case strings.HasPrefix(s, "Test Case '"):
			if m := reXCStart().FindStringSubmatch(s); m != nil {
				l.Used = true
				name := m[1] + "." + m[2]
				switch m[3] {
				case "failed":
					failed[name] = true
					f.Fail(core.Failure{Test: name, Kind: core.KindTest, Weak: true, Runner: "XCTest"})
				case "passed":
					passed[name] = true
				case "skipped":
					skipped[name] = true
				}
			}
		case strings.Contains(s, "Executed ") && strings.Contains(s, " with "):
			if m := reXCSum().FindStringSubmatch(s); m != nil {
				l.Used = true
				// The last sum is that of all suites; it counts assertions, so
				// failing tests are counted by name.
				bad := len(failed)
				if bad == 0 {
					bad = text.Atoi(m[3])
				}
				last = &core.Total{Passed: max(0, text.Atoi(m[1])-bad-text.Atoi(m[2])), Failed: bad,
					Skipped: text.Atoi(m[2])}
			}
		case strings.Contains(s, " recorded an issue "):
			if m := reSwiftX().FindStringSubmatch(s); m != nil {
				l.Used = true
				x := core.Failure{Test: strings.Trim(m[1], `"`), File: m[2], Line: text.Atoi(m[3]),
					Column: text.Atoi(m[4]), Message: m[5], Kind: core.KindTest, Runner: "Swift Testing"}
				for k := i + 1; k < len(d.Lines) &&
					(strings.HasPrefix(d.Lines[k].S, "↳") || strings.HasPrefix(d.Lines[k].S, "  ")); k++ {
					x.Detail = append(x.Detail, d.Lines[k].S)
					d.Lines[k].Used = true
				}
				f.Fail(x)
			}
		case strings.Contains(s, " Test run with "):
			if m := reSwiftSum().FindStringSubmatch(s); m != nil {
				l.Used = true
				n := map[string]bool{}
				for _, x := range f.Failures {
					if x.Runner == "Swift Testing" {
						n[x.Test] = true
					}
				}
				f.Format = "Swift Testing"
				if text.Atoi(m[1]) > 0 {
					f.Total(max(0, text.Atoi(m[1])-len(n)), len(n), -1)
				}
			}
		}
	}
	if last != nil {
		f.Format = "XCTest"
		f.Total(last.Passed, last.Failed, last.Skipped)
	}
}
