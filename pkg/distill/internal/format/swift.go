package format

import (
	"cmp"
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
	var sum []string
	for i := range d.Lines {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if m := reXCTest().FindStringSubmatch(l.S); m != nil {
			swiftIssue(d, f, i, core.Failure{Test: m[3] + "." + m[4], File: m[1], Line: text.Atoi(m[2]),
				Message: m[5], Kind: core.KindTest, Runner: "XCTest"})
		} else if m := reXCStart().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			if m[3] == "failed" {
				f.Fail(core.Failure{Test: m[1] + "." + m[2], Kind: core.KindTest, Weak: true, Runner: "XCTest"})
			}
		} else if m := reXCSum().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			sum = m // the last is that of all suites
		} else if m := reSwiftX().FindStringSubmatch(l.S); m != nil {
			swiftIssue(d, f, i, core.Failure{Test: strings.Trim(m[1], `"`), File: m[2], Line: text.Atoi(m[3]),
				Column: text.Atoi(m[4]), Message: m[5], Kind: core.KindTest, Runner: "Swift Testing"})
		} else if m := reSwiftSum().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			if n := text.Atoi(m[1]); n > 0 {
				bad := failedBy(f, "Swift Testing")
				f.Format = "Swift Testing"
				f.Total(max(0, n-bad), bad, -1)
			}
		}
	}
	if sum != nil { // it counts assertions, so failing tests are counted by name
		bad, skipped := cmp.Or(failedBy(f, "XCTest"), text.Atoi(sum[3])), text.Atoi(sum[2])
		f.Format = "XCTest"
		f.Total(max(0, text.Atoi(sum[1])-bad-skipped), bad, skipped)
	}
}

// failedBy counts the tests that one runner has reported as failed.
func failedBy(f *core.Found, runner string) int {
	names := map[string]bool{}
	for _, x := range f.Failures {
		if x.Runner == runner {
			names[x.Test] = true
		}
	}
	return len(names)
}

// swiftIssue reads what stands below a failed expectation.
func swiftIssue(d *stream.Doc, f *core.Found, i int, x core.Failure) {
	if strings.HasPrefix(x.File, "<") {
		x.File, x.Line = "", 0
	}
	d.Lines[i].Used = true
	for k := i + 1; k < len(d.Lines) && k < i+20; k++ {
		s := d.Lines[k].S
		more := strings.HasPrefix(s, "↳") || strings.HasPrefix(s, "  ")
		if s == "" || x.Runner == "Swift Testing" && !more || strings.HasPrefix(s, "Test Case") ||
			strings.HasPrefix(s, "Test Suite") || reXCTest().MatchString(s) {
			break
		}
		x.Detail = append(x.Detail, s)
		d.Lines[k].Used = true
	}
	f.Fail(x)
}
