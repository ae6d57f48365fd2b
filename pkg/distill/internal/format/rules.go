package format

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// expr compiles an expression on first use. {file} and the like become groups with these
// names.
func expr(s string) func() *regexp.Regexp { return text.LazyWith(places, s) }

// places are the words of expr, built on first use: every program that starts would pay for
// them.
var places = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		`{file}`, `(?P<file>(?:[A-Za-z]:)?[^\s:"]+)`, `{line}`, `(?P<line>\d+)`, `{col}`, `(?P<col>\d+)`,
		`{:line:col}`, `(?::(?P<line>\d+)(?::(?P<col>\d+))?)`, `{msg}`, `(?P<msg>.+)`, `{rule}`, `(?P<rule>\S+)`,
		`{name}`, `(?P<name>\S.*?)`, `{sev}`, `(?P<sev>(?i:error|warning|info))`,
	)
})

// blockRule describes the failures of a runner that prints a head and a block of lines
// below or above it. The groups name, suite, file, line and msg of its expressions are
// used.
type blockRule struct {
	runner string
	kind   string   // where it is no failed test
	marks  []string // one of them stands in the head; saves the expression
	head   func() *regexp.Regexp
	// stop matches the line after the block.
	stop func() *regexp.Regexp
	// after is a line without which the rule does not apply, such as the title of the list
	// of failures; until is the line after which it no longer does.
	after, until string
	// above takes the lines above the head, back to one that stop matches.
	above bool
	// name matches the line of the block with the name, if the head has none.
	name func() *regexp.Regexp
	// each matches the lines that begin a failure, where a block holds several, such as
	// "  3) adds" below "Failures:". tells matches a line with message and place, such as
	// "sum.rb:7: expected 3"; the rest of the message follows. place matches one with only a
	// place, such as "  at sum.js:7".
	each, tells, place func() *regexp.Regexp
	// said is the margin of the lines of the block with the message; the others are source
	// and frames.
	said func() *regexp.Regexp
	// proof matches a line of the block without which nothing has failed; what counts is
	// below it.
	proof func() *regexp.Regexp
	// suite matches the line that names the group of those below, and open is its beginning
	// (or, for header and opens, a part of it); join goes between its name and that of the
	// test.
	suite func() *regexp.Regexp
	open  string
	join  string
	// ext is the ending of the file that the group is named after.
	ext string
	// header matches the line above the names of the open groups, which end at a drawn
	// line.
	header func() *regexp.Regexp
	// lead matches the prefix of each line of the block.
	lead func() *regexp.Regexp
	// wraps is set if the runner wraps other frameworks, whose failures are better.
	wraps   bool
	noise   bool // it is none
	outside bool // the sum counts it, but it is no test
	stack   bool // its stack tells the test
	ids     bool // it gives the full name of a test of which another row tells
	// shared is set if consecutive heads have one block, keep if others also read the
	// block.
	shared, keep bool
	// within is the open group without which the rule does not apply.
	within string
	// opens matches a line above deeper names: its indentation and its name.
	opens func() *regexp.Regexp
}

// sumRule describes the line with a runner's counts, if it does not say what they count or
// counts differently. Groups: passed, failed, errors, skipped; total (all) or ran (all but
// the skipped).
type sumRule struct {
	runner, mark string // the marks have bars between them
	expr         func() *regexp.Regexp
	last         bool // printed again and again; the last one counts
	wraps        bool // what it runs may have counted
	named        bool // it counts all together: failed are the tests that were named, or more
	outside      bool // its errors are of fixtures and files, not of tests
}

// ruleWords finds in one pass what a line may be for the tables: a line that a rule waits
// for, the head of one, or a sum.
var ruleWords = sync.OnceValue(func() *stream.Matcher {
	n := len(blockRules)
	words := make([][]string, 2*n, 2*n+len(sumRules))
	for i := range blockRules {
		b := &blockRules[i]
		words[i] = slices.DeleteFunc([]string{strings.TrimLeft(b.after, " "), b.until, b.open},
			func(w string) bool { return w == "" })
		words[n+i] = b.marks
	}
	for i := range sumRules {
		words = append(words, strings.Split(sumRules[i].mark, "|"))
	}
	return stream.NewMatcher(false, words...)
})

// readRules reads the runners of the tables.
func readRules(d *stream.Stream, f *core.Result) {
	r := &ruleReader{d: d, f: f, seen: map[string]bool{}, suites: map[string]string{},
		retry: map[string]bool{}}
	words := ruleWords()
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.S == "" || len(l.S) > 1000 {
			continue
		}
		hits := words.Find(l.S)
		k := hits.Next(0)
		for ; k >= 0 && k < len(blockRules); k = hits.Next(k + 1) {
			r.notice(i, &blockRules[k])
		}
		if k >= 0 && !l.Used {
			i = r.line(i, &hits)
		}
	}
	for _, w := range r.later {
		if !d.Lines[w.at].Used {
			r.block(w.at, w.rule, w.groups)
		}
	}
	r.nameByIDs()
	for i := range r.ran {
		if r.retry[core.NameKey(r.ran[i].Failures[0].Test)] {
			r.ran[i].Outcome = testreport.Passed
		}
	}
	f.File(r.ran)
	for _, s := range r.sums {
		if s.rule.wraps && len(f.Totals) > 0 {
			continue
		}
		f.Format = s.rule.runner
		if n := max(s.t.Failed, failedBy(f, f.Format, s.rule.named)); s.rule.named { // all are in Passed
			s.t.Passed, s.t.Failed = max(0, s.t.Passed-n), n
		} else {
			s.t.Failed = n // brief forms count what passed alone
		}
		f.Total(s.t.Passed, s.t.Failed, s.t.Skipped)
	}
}

type ruleReader struct {
	d      *stream.Stream
	f      *core.Result
	seen   map[string]bool   // the lines that rules wait for
	suites map[string]string // the open group of each runner
	ran    []core.Ran        // the tests that failed, and what else did
	sums   []ruleSum
	ids    []core.Failure // the full names of tests
	path   []tapName      // the groups that are open, by their indentation
	later  []wrappedHead  // of runners that wrap others
	retry  map[string]bool
}

// wrappedHead is the head of a runner that wraps others, which are read first.
type wrappedHead struct {
	at     int
	rule   *blockRule
	groups map[string]string
}

type ruleSum struct {
	rule *sumRule
	t    core.Total
}

// notice handles a line that a rule waits for.
func (r *ruleReader) notice(i int, b *blockRule) {
	s := r.d.Lines[i].S
	if b.after != "" && strings.HasPrefix(strings.TrimLeft(s, " "), strings.TrimLeft(b.after, " ")) {
		r.seen[b.after] = true
	} else if b.until != "" && strings.HasPrefix(s, b.until) {
		r.seen[b.after] = false
	}
	if b.header != nil {
		if b.header().MatchString(s) {
			r.header(i, b)
		}
	}
	if b.opens != nil {
		if m := b.opens().FindStringSubmatch(s); m != nil {
			r.path = append(slices.DeleteFunc(r.path, func(p tapName) bool { return p.indent >= len(m[1]) }),
				tapName{len(m[1]), m[2]})
		}
	}
	if b.suite != nil && strings.HasPrefix(s, b.open) {
		if m := b.suite().FindStringSubmatch(s); m != nil {
			r.suites[b.runner] = m[1]
		}
	}
}

// header records the names of the groups that a header opens.
func (r *ruleReader) header(i int, b *blockRule) {
	var names []string
	for k := i + 1; k < min(len(r.d.Lines), i+20) && r.d.Lines[k].S != ""; k++ {
		s := r.d.Lines[k].S
		if strings.HasPrefix(s, "---") {
			if len(names) > 0 {
				r.suites[b.runner] = strings.Join(names, " > ")
			}
			return
		}
		names = append(names, strings.TrimSpace(s))
	}
}

// line reads what begins at line i, which has the marks of some rules, and returns the last
// line that it used.
func (r *ruleReader) line(i int, hits *stream.Set) int {
	s, n := r.d.Lines[i].S, len(blockRules)
	for k := hits.Next(n); k >= 0; k = hits.Next(k + 1) {
		if k >= 2*n {
			x := &sumRules[k-2*n]
			if g := text.Groups(x.expr(), s); g != nil {
				r.sum(i, x, g)
				r.d.Lines[i].Used = true
				return i
			}
			continue
		}
		b := &blockRules[k-n]
		if b.after != "" && !r.seen[b.after] || b.within != "" && r.suites[b.runner] != b.within {
			continue
		}
		if g := text.Groups(b.head(), s); g != nil {
			if b.wraps {
				r.later = append(r.later, wrappedHead{i, b, g})
				continue
			}
			if end := r.block(i, b, g); end > i {
				return end - 1
			}
		}
	}
	return i
}

func (r *ruleReader) sum(i int, x *sumRule, g map[string]string) {
	r.f.CountedAt(r.d.Lines[i].No)
	bad, skip := text.Atoi(g["failed"])+text.Atoi(g["errors"]), text.Atoi(g["skipped"])
	t := core.NewTotal(text.Atoi(g["passed"]), bad, skip)
	if n, ok := g["total"]; ok {
		t.Passed = max(0, text.Atoi(n)-bad-skip)
	} else if n, ok := g["ran"]; ok {
		t.Passed = max(0, text.Atoi(n)-bad)
	}
	r.f.Todo += text.Atoi(g["todo"])
	if x.outside {
		r.f.NonTests += text.Atoi(g["errors"])
	}
	k := slices.IndexFunc(r.sums, func(s ruleSum) bool { return s.rule.runner == x.runner })
	switch {
	case k < 0:
		r.sums = append(r.sums, ruleSum{x, t})
	case x.last:
		r.sums[k].t = t
	default:
		old := r.sums[k].t
		r.sums[k].t = core.NewTotal(old.Passed+t.Passed, old.Failed+t.Failed, old.Skipped+t.Skipped)
	}
}

// failedBy counts the tests that one runner has reported as failed, without files that
// could not be loaded. Where its files may have tests of one name, it counts each.
func failedBy(f *core.Result, runner string, byFile bool) int {
	names := map[[2]string]bool{}
	for _, x := range f.Failures {
		if x.Runner == runner && x.Kind != core.KindLoad {
			key := [2]string{x.Test}
			if byFile {
				key[1] = x.File
			}
			names[key] = true
		}
	}
	return len(names)
}
