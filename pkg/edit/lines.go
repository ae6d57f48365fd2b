package edit

import "strings"

// line is one line of a file: its text and its own line end ("\n", "\r\n", or
// "" at the end of a file).
type line struct{ text, end string }

// splitLines cuts s after each LF. A lone CR is part of a line.
func splitLines(s string) []line {
	if s == "" {
		return nil
	}
	out := make([]line, 0, strings.Count(s, "\n")+1)
	for s != "" {
		i := strings.IndexByte(s, '\n')
		switch {
		case i < 0:
			return append(out, line{s, ""})
		case i > 0 && s[i-1] == '\r':
			out = append(out, line{s[:i-1], "\r\n"})
		default:
			out = append(out, line{s[:i], "\n"})
		}
		s = s[i+1:]
	}
	return out
}

// joinLines is the inverse of splitLines.
func joinLines(ls []line) string {
	n := 0
	for _, l := range ls {
		n += len(l.text) + len(l.end)
	}
	var b strings.Builder
	b.Grow(n)
	for _, l := range ls {
		b.WriteString(l.text)
		b.WriteString(l.end)
	}
	return b.String()
}

// texts are the lines of a block, without line ends.
func texts(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// lineEnd is the line end that most lines use, LF on a tie or in an empty file,
// and whether both kinds occur.
func lineEnd(ls []line) (end string, mixed bool) {
	lf, crlf := 0, 0
	for _, l := range ls {
		switch l.end {
		case "\n":
			lf++
		case "\r\n":
			crlf++
		}
	}
	if crlf > lf {
		return "\r\n", lf > 0
	}
	return "\n", crlf > 0
}

// opcode is one step of an alignment of old lines with new ones.
type opcode byte

const (
	keep opcode = ' '
	drop opcode = '-'
	add  opcode = '+'
)

// maxAlign bounds the table of the alignment; larger regions are aligned only
// by their common start and end, which keeps Resolve linear.
const maxAlign = 1 << 20

// align lists the steps from old to new with as many kept lines as is cheap to find.
func align(old, new []string) []opcode {
	var head, tail int
	for head < len(old) && head < len(new) && old[head] == new[head] {
		head++
	}
	o, n := old[head:], new[head:]
	for tail < len(o) && tail < len(n) && o[len(o)-1-tail] == n[len(n)-1-tail] {
		tail++
	}
	o, n = o[:len(o)-tail], n[:len(n)-tail]
	ops := make([]opcode, 0, len(old)+len(n))
	for range head {
		ops = append(ops, keep)
	}
	ops = append(ops, alignMiddle(o, n)...)
	for range tail {
		ops = append(ops, keep)
	}
	return ops
}

// alignMiddle finds a longest common subsequence where the table is small enough.
func alignMiddle(o, n []string) []opcode {
	ops := make([]opcode, 0, len(o)+len(n))
	if len(o) == 0 || len(n) == 0 || len(o)*len(n) > maxAlign {
		for range o {
			ops = append(ops, drop)
		}
		for range n {
			ops = append(ops, add)
		}
		return ops
	}
	w := len(n) + 1
	best := make([]int32, (len(o)+1)*w)
	for i := len(o) - 1; i >= 0; i-- {
		for j := len(n) - 1; j >= 0; j-- {
			if o[i] == n[j] {
				best[i*w+j] = best[(i+1)*w+j+1] + 1
			} else {
				best[i*w+j] = max(best[(i+1)*w+j], best[i*w+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(o) || j < len(n) {
		switch {
		case i < len(o) && j < len(n) && o[i] == n[j]:
			ops, i, j = append(ops, keep), i+1, j+1
		case j == len(n) || i < len(o) && best[(i+1)*w+j] >= best[i*w+j+1]:
			ops, i = append(ops, drop), i+1
		default:
			ops, j = append(ops, add), j+1
		}
	}
	return ops
}
