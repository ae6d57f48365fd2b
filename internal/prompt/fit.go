package prompt

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// cutMark stands where something was left out.
	cutMark = "[… left out to fit …]"
	// minTask and minOutput are the bytes that task and output keep at least.
	minTask   = 6000
	minOutput = 3000
	// overhead is what the user template itself may take, in tokens.
	overhead = 250
)

// fit leaves out what does not go into budget tokens.
func fit(in Input, budget int) Input {
	budget -= overhead
	if size(in) <= budget {
		return in
	}
	in.Tree = cutTail(in.Tree, in.bytes(budget/10))
	for len(in.Files) > 1 && size(in) > budget {
		in.Files = in.Files[:len(in.Files)-1]
	}
	if size(in) > budget {
		in.Tree = ""
	}
	if size(in) > budget {
		in.Conventions = nil
	}
	if over := size(in) - budget; over > 0 {
		in.Diff = cutMiddle(in.Diff, max(len(in.Diff)-in.bytes(over), minTask))
	}
	if over := size(in) - budget; over > 0 {
		in.Task = cutMiddle(in.Task, max(len(in.Task)-in.bytes(over), minTask))
	}
	if size(in) > budget {
		in.RolledBack = cutMiddle(in.RolledBack, minOutput)
		in.Failure = cutMiddle(in.Failure, minOutput)
	}
	if over := size(in) - budget; over > 0 && len(in.Files) == 1 {
		f := in.Files[0]
		f.Content, f.Part, f.Lines = cutMiddle(f.Content, max(len(f.Content)-in.bytes(over), minOutput)), "outline", nil
		in.Files = []File{f}
	}
	return in
}

// size estimates the tokens of the user part.
func size(in Input) int {
	n := in.tokens(in.Task) + in.tokens(in.Failure) + in.tokens(in.RolledBack) + in.tokens(in.Tree) + in.tokens(in.Diff) + in.tokens(in.LastSummary)
	for _, p := range slices.Concat(in.Problems, in.SetAside) {
		n += in.tokens(p.Path) + in.tokens(p.Reason) + 4
	}
	for _, l := range in.Looks {
		n += in.tokens(l.Wish) + in.tokens(l.Said) + in.tokens(l.Found) + 20
	}
	for _, a := range in.Answers {
		n += in.tokens(a.Question) + in.tokens(a.Answer) + 20
	}
	for _, fs := range [][]File{in.Files, in.Conventions} {
		for _, f := range fs {
			n += in.tokens(f.Content) + 2*in.tokens(f.Path) + 20
		}
	}
	return n
}

// cutTail keeps whole lines of at most max bytes.
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

// cutMiddle keeps the beginning and the end, which tell most.
func cutMiddle(s string, max int) string {
	if len(s) <= max {
		return s
	}
	half := max / 2
	return s[:boundary(s, half)] + "\n" + cutMark + "\n" + s[boundary(s, len(s)-half):]
}

// boundary moves i back to the beginning of a character.
func boundary(s string, i int) int {
	i = min(max(i, 0), len(s))
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}
