package format

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// blockRule describes the failures of a runner whose form is a head and a
// block of lines below or above it. The groups name, suite, file, line and msg of
// its expressions are taken for what they say.
type blockRule struct {
	runner string
	kind   string   // where it is no failed test
	marks  []string // one of them stands in the head; saves the expression
	head   func() *regexp.Regexp
	// stop tells the line after the block.
	stop func() *regexp.Regexp
	// after is a line without which the rule does not hold, such as the title
	// of the list of failures, and until the one from which it does no longer.
	after, until string
	// above takes the lines above the head, back to one that stop tells.
	above bool
	// name tells the line with the name where the head has none: of the block, or above
	// the head where it is titled.
	name   func() *regexp.Regexp
	titled bool
	// each tells the lines of the block that begin a failure each, tells the one with its
	// message and place, below which the rest stands, and place one with its place alone.
	each, tells, place func() *regexp.Regexp
	// said is the margin of the lines of the block that say what went wrong; the others are
	// source and frames.
	said func() *regexp.Regexp
	// proof tells a line of the block without which nothing has failed; what counts is below it.
	proof func() *regexp.Regexp
	// suite tells the line that names the group of those below, and open how it begins;
	// join stands between its name and that of the test.
	suite func() *regexp.Regexp
	open  string
	join  string
	// header tells the line below which the names of the open groups stand, up to a rule;
	// or its group is the first of them, and those below are deeper.
	header func() *regexp.Regexp
	// lead is what each line of the block has in front.
	lead func() *regexp.Regexp
	// wraps says that the runner wraps other frameworks, whose failures are better.
	wraps bool
	noise bool // it is none
	ids   bool // it gives the full name of a test of which another row tells
	// opens tells a line below which deeper names stand: its indentation and its name.
	opens func() *regexp.Regexp
}

// sumRule describes the line with the counts of a runner, where it does not say what
// they count or counts otherwise. Groups: passed, failed, errors, skipped; total
// (all) or ran (all but the skipped).
type sumRule struct {
	runner, mark string
	expr         func() *regexp.Regexp
	last         bool // printed again and again; the last one counts
	wraps        bool // what it runs may have counted
	named        bool // it counts assertions: failed are the tests that were named
}

// ruleWords finds in one pass the lines that a rule may be about.
var ruleWords = sync.OnceValue(func() *stream.Matcher {
	var words []string
	for i := range sumRules {
		words = append(words, strings.ToLower(sumRules[i].mark))
	}
	for i := range blockRules {
		b := &blockRules[i]
		for _, w := range append([]string{b.after, b.until, b.open}, b.marks...) {
			if w = strings.ToLower(strings.TrimLeft(w, " ")); w != "" {
				words = append(words, w)
			}
		}
	}
	return stream.NewMatcher(words)
})

// readRules reads the runners of the tables.
func readRules(d *stream.Doc, f *core.Found) {
	r := &ruleReader{d: d, f: f, seen: map[string]bool{}, suites: map[string]string{}}
	words, had := ruleWords(), len(f.Failures)
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.S == "" || len(l.S) > 1000 || !words.Match([]byte(l.S)) {
			continue
		}
		r.notice(i)
		if !l.Used {
			i = r.line(i)
		}
	}
	r.nameByIDs(f.Failures[had:])
	for _, s := range r.sums {
		if s.rule.wraps && len(f.Totals) > 0 {
			continue
		}
		f.Format = s.rule.runner
		if n := failedBy(f, f.Format); s.rule.named && n > 0 {
			s.t.Passed, s.t.Failed = max(0, s.t.Passed+s.t.Failed-n), n
		} else {
			s.t.Failed = max(s.t.Failed, n) // brief forms count what passed alone
		}
		f.Total(s.t.Passed, s.t.Failed, s.t.Skipped)
	}
}

type ruleReader struct {
	d      *stream.Doc
	f      *core.Found
	seen   map[string]bool   // the lines that rules wait for
	suites map[string]string // the open group of each runner
	sums   []ruleSum
	ids    []core.Failure // the full names of tests
	path   []tapName      // the groups that are open, by their indentation
}

type ruleSum struct {
	rule *sumRule
	t    core.Total
}

func (r *ruleReader) notice(i int) {
	s := r.d.Lines[i].S
	for k := range blockRules {
		b := &blockRules[k]
		if b.after != "" && strings.HasPrefix(strings.TrimLeft(s, " "), strings.TrimLeft(b.after, " ")) {
			r.seen[b.after] = true
		} else if b.until != "" && strings.HasPrefix(s, b.until) {
			r.seen[b.after] = false
		}
		if b.header != nil {
			if m := b.header().FindStringSubmatch(s); m != nil {
				r.header(i, b, m[1:])
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
}

// header notes the names of the groups that a header opens.
func (r *ruleReader) header(i int, b *blockRule, names []string) {
	deeper := len(names) > 0
	for k := i + 1; k < min(len(r.d.Lines), i+20); k++ {
		s := r.d.Lines[k].S
		if rule := strings.HasPrefix(s, "---"); rule || s == "" || deeper && s[0] != ' ' {
			if (deeper || rule) && len(names) > 0 {
				r.suites[b.runner] = strings.Join(names, " > ")
			}
			return
		}
		names = append(names, strings.TrimSpace(s))
	}
}

// line reads what begins at line i and gives the last line that it used.
func (r *ruleReader) line(i int) int {
	s := r.d.Lines[i].S
	holds := func(mark string) bool { return strings.Contains(s, mark) }
	for k := range blockRules {
		b := &blockRules[k]
		if !slices.ContainsFunc(b.marks, holds) || b.after != "" && !r.seen[b.after] {
			continue
		}
		if g := text.Groups(b.head(), s); g != nil {
			if end := r.block(i, b, g); end > i {
				return end - 1
			}
		}
	}
	for k := range sumRules {
		x := &sumRules[k]
		if !strings.Contains(s, x.mark) {
			continue
		}
		if g := text.Groups(x.expr(), s); g != nil {
			r.sum(x, g)
			r.d.Lines[i].Used = true
			return i
		}
	}
	return i
}

func (r *ruleReader) sum(x *sumRule, g map[string]string) {
	bad, skip := text.Atoi(g["failed"])+text.Atoi(g["errors"]), text.Atoi(g["skipped"])
	t := core.NewTotal(text.Atoi(g["passed"]), bad, skip)
	if n, ok := g["total"]; ok {
		t.Passed = max(0, text.Atoi(n)-bad-skip)
	} else if n, ok := g["ran"]; ok {
		t.Passed = max(0, text.Atoi(n)-bad)
	}
	r.f.Todo += text.Atoi(g["todo"])
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

// failedBy counts the tests that one runner has reported as failed; a file that could
// not be loaded is none.
func failedBy(f *core.Found, runner string) int {
	names := map[string]bool{}
	for _, x := range f.Failures {
		if x.Runner == runner && x.Kind != core.KindLoad {
			names[x.Test] = true
		}
	}
	return len(names)
}

// block reads the failures of one head and gives the line after them, i where there are none.
func (r *ruleReader) block(i int, b *blockRule, g map[string]string) int {
	lines := r.d.Lines
	from, end := i, i+1
	if b.above {
		for from > 0 && from > i-60 && !lines[from-1].Used && !b.stop().MatchString(lines[from-1].S) {
			from--
		}
	} else {
		for end < len(lines) && end < i+1000 && !b.stop().MatchString(lines[end].S) {
			end++
		}
	}
	if b.titled {
		r.nameAbove(i, b, g)
	}
	body, proved := b.body(lines[from:i], lines[i+1:end], g)
	x := core.Failure{Test: core.Qualified(g["name"]), File: g["file"], Line: text.Atoi(g["line"]),
		Column: text.Atoi(g["col"]), Message: g["msg"], Kind: cmp.Or(b.kind, core.KindTest), Runner: b.runner}
	suite := g["suite"]
	if b.suite != nil || b.header != nil {
		suite = cmp.Or(suite, r.suites[b.runner])
	}
	if suite != "" {
		x.Test = strings.Trim(suite+cmp.Or(b.join, " > ")+x.Test, " >") + g["index"]
	}
	if b.join == "." {
		x.Pkg = suite
	}
	wrapped := func(y core.Failure) bool { return y.Test != "" }
	if x.Test == "" && b.kind == "" && !b.noise || !proved ||
		b.wraps && slices.ContainsFunc(r.f.Failures, wrapped) {
		return i
	}
	if x.File == "" && b.said == nil {
		x.Output = []string{lines[max(i-1, 0)].S, lines[i].S} // the place may stand there
	}
	if b.opens != nil {
		r.name(x, g["pad"])
		return i
	}
	for k := from; k < end; k++ {
		lines[k].Used = true
	}
	switch {
	case b.ids:
		x.Weak = true
		x.File, _, _ = strings.Cut(x.Test, "::")
		r.ids = append(r.ids, x)
	case !b.noise:
		r.explain(b, x, body)
	}
	return end
}

// name notes the full name of a test in a tree of names, of which a list says more.
func (r *ruleReader) name(x core.Failure, pad string) {
	for _, p := range slices.Backward(r.path) {
		if p.indent < len(pad) {
			x.Test = p.name + " > " + x.Test
		}
	}
	x.Kind = ""
	r.ids = append(r.ids, x)
}

// body gives the lines of a block that count, and whether they prove a failure.
func (b *blockRule) body(above, below []stream.Line, g map[string]string) (out []string, proved bool) {
	proved = b.proof == nil
	for _, l := range slices.Concat(above, below) {
		s := l.S
		if !proved {
			proved = b.proof().MatchString(s)
			continue
		}
		if b.name != nil && g["name"] == "" && take(g, b.name(), s) {
			continue
		}
		if b.lead != nil {
			cut := len(b.lead().FindString(s))
			if s = s[cut:]; cut > 0 && s == "" {
				continue
			}
		}
		out = append(out, s)
	}
	return out, proved
}

// take adds what an expression finds in a line to what is known.
func take(g map[string]string, re *regexp.Regexp, s string) bool {
	found := text.Groups(re, s)
	for n, v := range found {
		g[n] = cmp.Or(g[n], v)
	}
	return found != nil
}

// nameAbove looks for the name above a head.
func (r *ruleReader) nameAbove(i int, b *blockRule, g map[string]string) {
	for k := i - 1; k >= 0 && k > i-8; k-- {
		if s := r.d.Lines[k].S; strings.Trim(s, "-") == "" || take(g, b.name(), s) {
			return
		}
	}
}

// explain reports a failure with its block, or one for each part of the block.
func (r *ruleReader) explain(b *blockRule, x core.Failure, body []string) {
	for k := 0; b.each != nil && k < len(body); k++ {
		g := text.Groups(b.each(), body[k])
		if g == nil {
			continue
		}
		end := k + 1
		for end < len(body) && !b.each().MatchString(body[end]) {
			end++
		}
		y := x
		y.File, y.Line, y.Message, y.Output = g["file"], text.Atoi(g["line"]), g["msg"], nil
		part := body[k+1 : end]
		if len(text.TrimBlock(part)) == 0 && k > 0 { // all is told above
			part, y.Message = body[:k], ""
		}
		core.Explain(&y, part)
		r.f.Fail(y)
		if k = end - 1; end == len(body) {
			return
		}
	}
	for k := len(body) - 1; k >= 0 && b.tells != nil; k-- {
		if g := text.Groups(b.tells(), body[k]); g != nil {
			x.File, x.Line, x.Column, x.Message = g["file"], text.Atoi(g["line"]), text.Atoi(g["col"]), g["msg"]
			body = body[k+1:]
			break
		}
	}
	for k := 0; k < len(body) && b.place != nil; k++ {
		if g := text.Groups(b.place(), body[k]); g != nil {
			x.File, x.Line = g["file"], text.Atoi(g["line"])
			body = slices.Delete(body, k, k+1)
		}
	}
	if said := b.saidIn(body); len(said) > 0 {
		y := core.Failure{}
		core.Explain(&y, slices.Concat(body, said))
		x.Frames, body = y.Frames, said
	}
	core.Explain(&x, body)
	if k := slices.IndexFunc(body, core.ReCAssert().MatchString); k >= 0 {
		x.Message = body[k]
	}
	for _, m := range reErlPair().FindAllStringSubmatch(strings.Join(body, " "), 20) {
		x.Frames = append(x.Frames, core.Frame{File: m[1], Line: text.Atoi(m[2])})
	}
	if x.Test == "" && x.Kind == core.KindTimeout {
		stackTest(r.f, &x)
	}
	if reTimedOut().MatchString(x.Message) {
		x.Kind = core.KindTimeout
	}
	x.Weak = x.Message == "" || reStepsFailed().MatchString(x.Message) // only through a test inside
	r.f.Fail(x)
}

// nameByIDs gives failures the full names that fit theirs, those of their files first,
// and reports the tests of which nothing else was told.
func (r *ruleReader) nameByIDs(fails []core.Failure) {
	named := make([]bool, len(fails))
	for _, strict := range []bool{true, false} {
		for i := range fails {
			x := &fails[i]
			base, _, _ := strings.Cut(x.Test, " (") // of a subtest
			k := slices.IndexFunc(r.ids, func(id core.Failure) bool {
				_, name, _ := strings.Cut(id.Test, "::")
				fits := id.Test == base || strings.HasSuffix(id.Test, " > "+base) || strings.ReplaceAll(name, "::", ".") == base || base == "" && !strict
				return fits && (!strict || slices.ContainsFunc(x.Frames,
					func(fr core.Frame) bool { return strings.HasSuffix(fr.File, id.File) }))
			})
			if !named[i] && k >= 0 && x.Runner == r.ids[k].Runner && x.Kind != core.KindLoad {
				x.Test, named[i] = r.ids[k].Test+x.Test[len(base):], true
				r.ids = slices.Delete(r.ids, k, k+1)
			}
		}
	}
	for _, id := range r.ids {
		if id.Kind != "" {
			r.f.Fail(id)
		}
	}
}

// saidIn gives the lines with the margin, without it; of a chain of exceptions the last
// is the message and the others are causes.
func (b *blockRule) saidIn(body []string) []string {
	var out, causes []string
	for k := 0; k < len(body) && b.said != nil; k++ {
		if margin := b.said().FindString(body[k]); margin != "" {
			out = append(out, body[k][len(margin):])
		} else if len(out) > 0 && reChain().MatchString(body[k]) {
			causes, out = append(causes, "cause: "+strings.TrimSpace(out[0])), nil
		}
	}
	first := slices.IndexFunc(out, func(s string) bool { return s != "" && s[0] != ' ' })
	if first > 0 { // a syntax error has its place and source in front
		out = slices.Insert(slices.Delete(slices.Clone(out), first, first+1), 0, out[first])
	}
	return append(out, causes...)
}

var reChain = text.Lazy(`^(?:The above exception was the direct cause|During handling of the above exception)`)

// reTimedOut tells a test that took too long from one that failed.
var reTimedOut = text.Lazy(`(?i)exceeded timeout of|test timed out`)

// reErlPair is a place in a term of Erlang, which may go over two lines.
var reErlPair = text.Lazy(`\{file,\s*"([^"]+)"\},\s*\{line,(\d+)\}`)

// stackTest names the test after the frame of a test function.
func stackTest(f *core.Found, x *core.Failure) {
	f.PlaceOf(x)
	for _, fr := range x.Frames {
		rel, ok := f.Root.Resolve(fr.File, "")
		if ok && tree.IsTestFile(rel) && strings.HasPrefix(fr.Func, "test") {
			x.Test = rel + "::" + fr.Func
			return
		}
	}
}
