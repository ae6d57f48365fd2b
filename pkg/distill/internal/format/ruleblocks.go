package format

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// block reads the failures of one head and returns the line after them, or i if there are
// none.
func (r *ruleReader) block(i int, b *blockRule, g map[string]string) int {
	lines := r.d.Lines
	if b.kind == core.KindRetry {
		r.retry[core.NameKey(g["name"])] = true
		return i
	}
	from, first, end := r.extent(i, b)
	body, proved := b.body(lines[from:i], lines[first:end], g)
	x := r.failure(i, b, g)
	if x.Test == "" && b.kind == "" && !b.noise || !proved || b.wraps && r.hasTestsOf(b.runner) {
		return i
	}
	if b.opens != nil {
		r.name(x, g["pad"])
		return i
	}
	if len(body) > 0 && b.kind == "" && core.IsSum(body[0]) { // a suite
		return i
	}
	if b.outside || x.Kind == core.KindSubtest {
		r.f.NonTests++
	}
	for k := from; k < end && !b.keep; k++ {
		lines[k].Used = lines[k].Used || k <= i || k >= first // other heads are read as well
	}
	if first > i+1 {
		end = i + 1
	}
	switch {
	case b.ids:
		x.Weak = true
		if file, _, ok := strings.Cut(x.Test, "::"); ok && x.File == "" {
			x.File = file
		}
		r.ids = append(r.ids, x)
	case !b.noise:
		r.add(r.explain(b, x, body)...)
	}
	return end
}

// add files what failed in a test.
func (r *ruleReader) add(fails ...core.Failure) {
	r.ran = append(r.ran, core.Ran{Test: testreport.Test{Name: fails[0].Test, Outcome: testreport.Failed},
		Failures: fails})
}

// hasTestsOf reports whether a test that a wrapper ran is known to have failed, by any reader.
func (r *ruleReader) hasTestsOf(wrapper string) bool {
	inside := func(x core.Failure) bool { return x.Test != "" && x.Runner != wrapper }
	return slices.ContainsFunc(r.f.Failures, inside) ||
		slices.ContainsFunc(r.ran, func(t core.Ran) bool { return slices.ContainsFunc(t.Failures, inside) })
}

// failure returns what the head in line i says.
func (r *ruleReader) failure(i int, b *blockRule, g map[string]string) core.Failure {
	x := core.Failure{Test: core.Qualified(g["name"]), File: g["file"], Line: text.Atoi(g["line"]),
		Column: text.Atoi(g["col"]), Message: g["msg"], Kind: cmp.Or(b.kind, core.KindTest), Runner: b.runner}
	suite := g["suite"]
	if (b.suite != nil || b.header != nil) && b.within == "" {
		suite = cmp.Or(suite, r.suites[b.runner])
	}
	if suite != "" {
		x.Test = strings.Trim(suite+cmp.Or(b.join, " > ")+x.Test, " >") + g["index"]
	}
	if b.ext != "" && x.File == "" {
		x.File = suite + b.ext
	}
	if b.join == "." {
		x.Pkg = suite
	}
	if x.File == "" && b.said == nil {
		x.Output = []string{r.d.Lines[max(i-1, 0)].S, r.d.Lines[i].S} // the place may stand there
	}
	if sub := strings.TrimSpace(g["sub"]); sub != "" && sub[0] != ',' {
		x.Test, x.Kind = x.Test+" "+sub, core.KindSubtest
	}
	if g["hook"] != "" {
		x.Kind = core.KindHook
	}
	return x
}

// extent returns the lines of the block of a head: its first line, the first line after the
// heads that share it, and the line after it.
func (r *ruleReader) extent(i int, b *blockRule) (from, first, end int) {
	lines := r.d.Lines
	from, first, end = i, i+1, i+1
	if b.above {
		for from > 0 && from > i-60 && !lines[from-1].Used && !b.stop().MatchString(lines[from-1].S) {
			from--
		}
		return from, first, end
	}
	for b.shared && first < len(lines) && first < i+200 && b.head().MatchString(lines[first].S) {
		first++
	}
	for end = first; end < len(lines) && end < first+1000 && !b.stop().MatchString(lines[end].S); end++ {
	}
	return from, first, end
}

// name records the full name of a test in a tree of names; a list has its details.
func (r *ruleReader) name(x core.Failure, pad string) {
	for _, p := range slices.Backward(r.path) {
		if p.indent < len(pad) {
			x.Test = p.name + " > " + x.Test
		}
	}
	x.Kind = ""
	r.ids = append(r.ids, x)
}

// body returns the relevant lines of a block, and whether they prove a failure.
func (b *blockRule) body(above, below []stream.Line, g map[string]string) (out []string, proved bool) {
	proved = b.proof == nil
	for _, l := range slices.Concat(above, below) {
		s := l.S
		if !proved {
			proved = take(g, b.proof(), s)
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

// take adds the groups that an expression matches in a line.
func take(g map[string]string, re *regexp.Regexp, s string) bool {
	found := text.Groups(re, s)
	for n, v := range found {
		g[n] = cmp.Or(g[n], v)
	}
	return found != nil
}

// explain makes a failure of a block, or one of each part of the block.
func (r *ruleReader) explain(b *blockRule, x core.Failure, body []string) (fails []core.Failure) {
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
		fails = append(fails, y)
		if k = end - 1; end == len(body) {
			return fails
		}
	}
	for k := len(body) - 1; k >= 0 && b.tells != nil; k-- {
		if g := text.Groups(b.tells(), body[k]); g != nil {
			x.File, x.Line, x.Column, x.Message = g["file"], text.Atoi(g["line"]), text.Atoi(g["col"]),
				g["msg"]
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
	if said := b.messageLines(body); len(said) > 0 {
		y := core.Failure{}
		core.Explain(&y, slices.Concat(body, said))
		x.Frames, body = y.Frames, said
	}
	core.Explain(&x, body)
	if b.stack {
		stackTest(r.f, &x)
	}
	if reTimedOut().MatchString(x.Message) {
		x.Kind = core.KindTimeout
	}
	x.Weak = x.Message == "" || reStepsFailed().MatchString(x.Message) // only through a test inside
	return append(fails, x)
}

// nameByIDs gives failures the matching full names, those of their files first, and reports
// tests of which only the name is known.
func (r *ruleReader) nameByIDs() {
	var fails []*core.Failure
	for _, t := range r.ran {
		for i := range t.Failures {
			fails = append(fails, &t.Failures[i])
		}
	}
	named := make([]bool, len(fails))
	for _, strict := range []bool{true, false} {
		for i, x := range fails {
			base := x.Test
			if !slices.ContainsFunc(r.ids,
				func(id core.Failure) bool { return id.Test == base || strings.HasSuffix(id.Test, " > "+base) }) {
				base, _, _ = strings.Cut(base, " (") // of a subtest
			}
			k := slices.IndexFunc(r.ids, func(id core.Failure) bool {
				_, name, _ := strings.Cut(id.Test, "::")
				if id.Kind == core.KindSubtest {
					return name == x.Test
				}
				fits := id.Test == base || strings.HasSuffix(id.Test, " > "+base) ||
					strings.HasPrefix(base, id.Test+" > ") ||
					strings.ReplaceAll(name, "::", ".") == base || base == "" && !strict
				return fits && (!strict || slices.ContainsFunc(x.Frames,
					func(fr core.Frame) bool { return strings.HasSuffix(fr.File, id.File) }))
			})
			if !named[i] && k >= 0 && x.Runner == r.ids[k].Runner && x.Kind != core.KindLoad {
				if r.ids[k].Kind == core.KindSubtest {
					x.Kind, base = core.KindSubtest, x.Test
				}
				x.Test, named[i] = r.ids[k].Test+x.Test[len(base):], true
				r.ids = slices.Delete(r.ids, k, k+1)
			}
		}
	}
	for _, id := range r.ids {
		if id.Kind != "" {
			r.add(id)
		}
	}
}

// messageLines returns the lines with the margin, without it. Of a chain of exceptions the last
// is the message and the others are causes.
func (b *blockRule) messageLines(body []string) []string {
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

// reTimedOut distinguishes a test that took too long from one that failed.
var reTimedOut = text.Lazy(`(?i)exceeded timeout of|test timed out`)

// stackTest names the test that a stack comes from: by the name of its function, or by the
// call in the test file. If neither works, the file as a whole has failed.
func stackTest(f *core.Result, x *core.Failure) {
	f.PlaceOf(x)
	suite := ""
	for _, fr := range x.Frames {
		file, known := f.Root.Resolve(fr.File, "")
		if !tree.IsTestFile(file) {
			continue
		}
		if known && strings.HasPrefix(fr.Func, "test") {
			x.Test = file + "::" + fr.Func
		} else {
			x.Test = f.Root.TestAt(file, fr.Line)
		}
		if suite = cmp.Or(suite, file); x.Test != "" {
			return
		}
	}
	if suite != "" {
		x.Test, x.Kind = suite, core.KindLoad
		x.Detail = append(x.Detail, "the output does not say in which test of "+suite)
	}
}
