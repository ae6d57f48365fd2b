package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// ReadGeneric reads the runs of test runners that nothing else knows, by what
// nearly all of them share: marks beside names, headings with a message below,
// lists of what failed, and sums. Which marks are those of failures is learned
// from the output itself.
func ReadGeneric(d *stream.Doc, f *Found) {
	readLedger(d, f).settle()
}

// readLedger files what the lines that nothing has used say of each test.
func readLedger(d *stream.Doc, f *Found) *generic {
	g := &generic{d: withoutLevels(d), all: d, f: f, known: namedTests(f.Failures[f.from:])}
	g.runs, g.sums, g.rowAt = runsOf(g.d), map[int]bool{}, map[int]bool{}
	for _, r := range g.runs {
		if r.summed {
			for i := r.to; i < r.end; i++ {
				g.sums[i] = true
			}
			g.counted = true
			g.failed += max(r.total.Failed, 0)
			g.passed += max(r.total.Passed, 0)
		}
	}
	if partsFailed(d) {
		f.partFailed = true
	}
	for _, t := range slices.Concat(f.Totals[f.totalsFrom:], f.Reports) {
		g.counted = true
		g.failed += max(t.Failed, 0)
		g.passed += max(t.Passed, 0)
	}
	if !g.known {
		g.tables()
	}
	g.scan()
	g.remarks()
	g.announced()
	g.coloured()
	g.learn()
	g.enter()
	if !g.known && !slices.ContainsFunc(g.ledger.entries, func(x *entry) bool { return x.proof() > 0 }) {
		g.heads()
	}
	return g
}

type generic struct {
	d    *stream.Doc // the lines without the levels of logs
	all  *stream.Doc // the same lines as they are
	f    *Found
	runs []run
	sums map[int]bool // the lines of sums

	rows  []event      // results that records tell
	rowAt map[int]bool // their lines

	marks  []marked
	atLine map[int]int // index of the mark at a line
	groups map[string]*group
	order  []*group
	ledger *ledger

	counted        bool            // a sum was read
	brackets       int             // 1 where no pass stands in brackets, more where one does
	passed, failed int             // what the sums say
	begun          map[string]bool // names that a word has announced
	textAbove      bool            // the text of a test stands above its result
	taken          int             // the line behind the last block of deeper lines
	steps          map[string]int  // the first line with this comment, often a place
	alone          map[string]int  // lines between empty ones
	known          bool            // another reader has found failing tests
	tests          bool            // what ran was a runner of tests
}

// withoutLevels takes off "[INFO] " and the like where most lines have it, and what all
// those lines begin with behind it: "INFO  check - ".
func withoutLevels(d *stream.Doc) *stream.Doc {
	n, all, good, begin := 0, 0, false, ""
	for i := range d.Lines {
		s := d.Lines[i].S
		if s == "" {
			continue
		}
		all++
		if k := levelLen(s); k > 0 {
			head := s[k:]
			if at := strings.Index(head, " - "); at > 0 && n == 0 {
				begin = head[:at+3]
			} else if !strings.HasPrefix(head, begin) {
				begin = ""
			}
			n++
			good = good || s[0] == '[' || s[0] != 'E' && s[0] != 'W'
		}
	}
	if n < 3 || n*3 < all || !good {
		return d
	}
	out := &stream.Doc{Label: d.Label, Lines: slices.Clone(d.Lines)}
	for i := range out.Lines {
		if s := out.Lines[i].S; levelLen(s) > 0 {
			out.Lines[i].S = strings.TrimPrefix(s[levelLen(s):], begin)
		}
	}
	return out
}

// levelLen is the length of a level and the blank behind it: in brackets, or one of the words
// that say no result, or as wide as one.
func levelLen(s string) int {
	if s == "" {
		return 0
	}
	if s[0] != '[' {
		for _, w := range []string{"INFO  ", "ERROR ", "DEBUG ", "WARN  ", "INFO ", "INFO: ", "ERROR: "} {
			if strings.HasPrefix(s, w) {
				return len(w)
			}
		}
		return 0
	}
	end := strings.IndexByte(s, ']')
	if end < 0 || end > 9 || !isLevel(s[:end+1]) {
		return 0
	}
	if end+1 < len(s) && s[end+1] == ' ' {
		end++
	}
	return end + 1
}

// namedTests tells whether failing tests are known already.
func namedTests(all []Failure) bool {
	return slices.ContainsFunc(all, func(x Failure) bool { return x.Test != "" })
}

// isLevel tells the levels of logs.
func isLevel(mark string) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.Trim(mark, "[]():<>*! ")), " ")
	switch word {
	case "info", "debug", "warn", "warning", "notice", "trace", "note", "hint", "help", "fatal", "critical",
		"verbose", "log", "error", "err":
		return true
	}
	return false
}
