package prompt

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// cutMark marks a place where something was left out.
	cutMark = "[… left out to fit …]"
	// minTask and minOutput are the least bytes kept of task and output.
	minTask   = 6000
	minOutput = 3000
	// overhead is the size of the user template itself, in tokens; itemOverhead that of a
	// list item.
	overhead, itemOverhead = 250, 20
)

// fit leaves out what exceeds the budget.
func fit(in Input, budget int) Input {
	budget -= overhead
	in.Tree = in.cutTree(budget)
	over := in.size() - budget
	if over <= 0 {
		return in
	}
	over = in.dropFiles(over)
	if over > 0 {
		over -= in.tokens(in.Tree)
		in.Tree = ""
	}
	if over > 0 {
		in.Conventions = nil
		over = in.size() - budget
	}
	for _, text := range []*string{&in.Diff, &in.Task} {
		if over > 0 {
			*text = in.shorten(*text, over, minTask)
			over = in.size() - budget
		}
	}
	if over > 0 {
		in.RolledBack = cutMiddle(in.RolledBack, minOutput)
		in.Failure = cutMiddle(in.Failure, minOutput)
		over = in.size() - budget
	}
	for _, list := range []*[]File{&in.Files, &in.Now} {
		if over > 0 && len(*list) > 0 {
			f := (*list)[0]
			f.Content, f.Part, f.Lines = in.shorten(f.Content, over, minOutput), "outline", nil
			*list = []File{f}
			over = in.size() - budget
		}
	}
	return in
}

// dropFiles leaves out files until over tokens are saved: the last that were added first, and
// what has changed last of all. One stays.
func (in *Input) dropFiles(over int) int {
	lists := []*[]File{&in.Now, &in.Files}
	in.Rounds = slices.Clone(in.Rounds)
	for i := range in.Rounds {
		lists = append(lists, &in.Rounds[i].Files)
	}
	left := len(in.shown())
	for _, list := range slices.Backward(lists) {
		for len(*list) > 0 && left > 1 && over > 0 {
			last := len(*list) - 1
			over -= in.fileSize((*list)[last])
			*list = (*list)[:last]
			left--
		}
	}
	return over
}

// cutTree limits the tree to a tenth of the request. The size depends neither on the role
// nor on the model's observed token count: the tree belongs to the part that stays the same
// through a run, so that caches hit.
func (in Input) cutTree(budget int) string {
	if in.Below > 0 {
		return in.firstLines(in.Tree, budget/10)
	}
	fixed := in
	fixed.PerToken = 0
	return fixed.firstLines(in.Tree, in.MaxTokens/10)
}

// size estimates the tokens of the user part.
func (in Input) size() int {
	n := 0
	for _, s := range []string{in.Task, in.Failure, in.RolledBack, in.Tree, in.Diff, in.LastSummary} {
		n += in.tokens(s)
	}
	for _, p := range in.Problems {
		n += in.tokens(p.Path) + in.tokens(p.Reason) + itemOverhead
	}
	for _, r := range in.Rounds {
		for _, l := range r.Looks {
			n += in.tokens(l.Request) + in.tokens(l.Result) + in.tokens(l.Found) + itemOverhead
		}
	}
	for _, a := range in.Answers {
		n += in.tokens(a.Question) + in.tokens(a.Answer) + itemOverhead
	}
	for _, f := range slices.Concat(in.shown(), in.Conventions) {
		n += in.fileSize(f)
	}
	return n
}

// fileSize estimates the tokens of a file between its delimiters.
func (in Input) fileSize(f File) int {
	return in.tokens(f.Content) + in.tokens(f.Path) + 2*in.tokens(in.Nonce) + itemOverhead
}

// firstLines keeps whole lines of about the given number of tokens.
func (in Input) firstLines(s string, tokens int) string {
	if n := in.tokens(s); n > tokens {
		return cutTail(s, len(s)*max(tokens, 0)/n)
	}
	return s
}

// shorten cuts tokens from the middle of a text but keeps least bytes.
func (in Input) shorten(s string, tokens, least int) string {
	left := in.tokens(s) - tokens
	for n := in.tokens(s); n > left && len(s) > least+len(cutMark)+2; n = in.tokens(s) {
		s = cutMiddle(s, max(len(s)*max(left, 0)/n-len(cutMark)-2, least))
	}
	return s
}

// cutTail keeps whole lines from the start, at most max bytes.
func cutTail(s string, max int) string {
	if len(s) <= max {
		return s
	}
	s = s[:boundary(s, max)]
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		s = s[:i+1]
	}
	return s + cutMark
}

// cutMiddle keeps the beginning and the end, which say the most.
func cutMiddle(s string, max int) string {
	if len(s) <= max {
		return s
	}
	half := max / 2
	return s[:boundary(s, half)] + "\n" + cutMark + "\n" + s[boundary(s, len(s)-half):]
}

// boundary moves i back to the start of a character.
func boundary(s string, i int) int {
	i = min(max(i, 0), len(s))
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}
