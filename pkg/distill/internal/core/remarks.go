package core

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// remarkForm is the form of a line that tells a name and how it went: "name: good".
type remarkForm struct {
	indent int
	noun   string // what stands before the name: "test "
	sep    string
}

// remarks learns from lines whose result is known how a result is told; what stands in
// the same form with something else than a result failed: "name: no answer within 1 s".
func (g *generic) remarks() {
	var forms []remarkForm
	for i := range g.marks {
		m := &g.marks[i]
		if m.lead != "" || m.tail == "" || m.said != passed || m.number > 0 {
			continue
		}
		if noun, rest, ok := strings.Cut(strings.TrimSpace(g.d.Lines[m.at].S), m.name); ok && len(noun) < 12 {
			f := remarkForm{m.indent, noun, separatorOf(rest)}
			if f.sep != "" && !slices.Contains(forms, f) {
				forms = append(forms, f)
			}
		}
	}
	for _, f := range forms {
		g.remarksOf(f)
	}
	g.sortMarks()
}

// sortMarks puts the marks in the order of their lines.
func (g *generic) sortMarks() {
	// Not of the package slices: its copy of the sort for so large a type is 20 KB.
	sort.SliceStable(g.marks, func(i, k int) bool { return g.marks[i].at < g.marks[k].at })
	for i := range g.marks {
		g.atLine[g.marks[i].at], g.atLine[g.marks[i].head] = i, i
	}
}

// separatorOf gives what stands between a name and its result, a run of dots or blanks as
// its shortest.
func separatorOf(rest string) string {
	n := strings.IndexFunc(rest, func(c rune) bool {
		return !unicode.IsSpace(c) && !strings.ContainsRune(".:=>-|", c)
	})
	if n <= 0 {
		return ""
	}
	switch sep := rest[:n]; {
	case strings.Contains(sep, "..."):
		return "..."
	case strings.HasPrefix(sep, "  "):
		return "  "
	case strings.TrimSpace(sep) == "":
		return ""
	default:
		return sep
	}
}

// split takes a line of this form apart.
func (f remarkForm) split(s string) (name, rest string, ok bool) {
	if s, ok = strings.CutPrefix(strings.TrimSpace(s), f.noun); !ok || len(s) > 300 {
		return "", "", false
	}
	name, rest, ok = strings.Cut(s, f.sep)
	name = strings.TrimRight(name, " ")
	return name, strings.TrimLeft(rest, ". "), ok && named(name)
}

// remarksOf marks the lines of one form that tell no known result.
func (g *generic) remarksOf(f remarkForm) {
	first, last, rows := -1, -1, 0 // the lines of the form
	var odd []int                  // those of the same indentation that are not
	var open []marked              // those without a known result
	for i := range g.d.Lines {
		s := g.d.Lines[i].S
		if s == "" || text.IndentOf(s) != f.indent || strings.HasPrefix(s, "make") {
			continue
		}
		k, is := g.atLine[i]
		if known := is && g.marks[k].said != unknown; !known {
			name, rest, ok := f.split(s)
			if !ok {
				odd = append(odd, i)
				continue
			}
			open = append(open, marked{at: i, head: i, indent: f.indent, tail: "\x02remark", said: failed, name: name,
				more: rest})
		}
		if rows++; first < 0 {
			first = i
		}
		last = i
	}
	table := rows > 2 && !slices.ContainsFunc(odd, func(i int) bool { return i > first && i < last })
	for _, m := range open {
		word, _, _ := strings.Cut(m.more, " ")
		deadly := dies(m.more) || verdictOf(word) == failed || ErrorLike(m.more) > 3
		if m.more == "" || stream.OnlyDigits(strings.Trim(m.more, ".s")) || verdictOf(m.more) != unknown ||
			g.d.Lines[m.at].Used || g.sums[m.at] || !deadly && !(table && (g.follows(&m) || telling(m.more))) {
			continue
		}
		if k, is := g.atLine[m.at]; is {
			g.marks[k] = m
			continue
		}
		g.note(m)
	}
}

// telling tells words that speak of something that is not as it should be.
func telling(s string) bool {
	low := strings.ToLower(s)
	return ErrorLike(s) > 0 || Telling(s) > 0 || strings.HasPrefix(low, "exit") || strings.HasPrefix(low, "no ")
}

// announced reads tests that are a line each with what they say below it, where a line
// that is a result and nothing else tells how the others went: "> name", "  done.".
func (g *generic) announced() {
	groups := map[string][]int{}
	var order []string
	for i := range g.d.Lines {
		s := g.d.Lines[i].S
		if k, is := g.atLine[i]; is && g.marks[k].number == 0 || g.d.Lines[i].Used || len(s) > 200 {
			continue
		}
		if key, name := g.announcing(i); key != "" && nameLike(name) && len(countsIn(name)) == 0 {
			if groups[key] == nil {
				order = append(order, key)
			}
			groups[key] = append(groups[key], i)
		}
	}
	for _, key := range order {
		at := groups[key]
		said := make([]verdict, len(at))
		for k, i := range at {
			end := len(g.d.Lines)
			if k+1 < len(at) {
				end = at[k+1]
			}
			said[k] = g.saidBelow(i, end)
		}
		if strings.ContainsFunc(key, unicode.IsLetter) {
			g.silentPass(said)
		}
		if len(at) < 2 || !slices.Contains(said, passed) || !slices.Contains(said, failed) {
			continue
		}
		for k, i := range at {
			if said[k] != unknown {
				_, name := g.announcing(i)
				name, more := cutName(name, "")
				lead := key + string(rune('0'+said[k]))
				m := marked{at: i, head: i, indent: text.IndentOf(g.d.Lines[i].S), lead: lead, said: said[k],
					name: name, more: more, sure: true}
				if k, is := g.atLine[i]; is {
					g.marks[k] = m
					continue
				}
				g.note(m)
			}
		}
	}
	g.sortMarks()
}

// silentPass takes those of which nothing is said for passed where as many failed as the sums count.
func (g *generic) silentPass(said []verdict) {
	bad := 0
	for _, v := range said {
		if v == failed {
			bad++
		}
	}
	for i, v := range said {
		if v == unknown && bad > 0 && bad == g.failed {
			said[i] = passed
		}
	}
}

// announcing takes a line apart into what tests are announced with and a name: "> name",
// "== name", "Test 3. name", or a name between two rules.
func (g *generic) announcing(i int) (key, name string) {
	s := g.d.Lines[i].S
	if s == "" || rule(s) {
		return "", ""
	}
	if c := strings.TrimLeft(s, " ")[0]; strings.IndexByte(">=#*+~-tTcCeErRvV", c) < 0 &&
		!rule(g.d.Lines[max(i-1, 0)].S) {
		return "", ""
	}
	m := reAnnounce().FindStringSubmatch(s)
	if m == nil {
		long := func(i int) bool {
			return i >= 0 && i < len(g.d.Lines) && len(g.d.Lines[i].S) > 3 && rule(g.d.Lines[i].S)
		}
		if long(i-1) && long(i+1) {
			return "rules \x04", strings.TrimSpace(s)
		}
		return "", ""
	}
	return m[1] + strings.TrimRight(m[2], "0123456789.):") + " \x04", m[3]
}

var reAnnounce = text.Lazy(`^( *)([>=#*+~-]{1,4}|(?i:test|case|check|example)(?: ?name| #?\d+)?[.):]|` +
	`(?i:testing|running|checking|verifying)) (\S.*)$`)

// reResult is a line that tells the result of what was announced, behind a label.
var reResult = text.Lazy(`^\W*(?i:test )?(?i:result|status|outcome|verdict|it) ?(?::|=|is)? *(\w+)\W*$`)

// saidBelow gives the result that stands alone in a line below an announcement. Where there
// is none, lines that tell an error are one.
func (g *generic) saidBelow(i, end int) verdict {
	said, indent := unknown, text.IndentOf(g.d.Lines[i].S)
	var block []string
	for j := i + 1; j < end && j < i+60; j++ {
		s := g.d.Lines[j].S
		if sectionOf(strings.ToLower(s)) != noSection || g.sums[j] || text.IndentOf(s) < indent && s != "" {
			break
		}
		if s == "" && len(block) > 0 && text.IndentOf(g.d.Lines[min(j+1, end-1)].S) <= indent {
			break
		}
		word := s
		if m := reResult().FindStringSubmatch(s); m != nil {
			word = m[1]
		}
		if v := verdictOf(word); v == passed || v == failed || v == skipped {
			said = v
		}
		block = append(block, s)
	}
	if said == unknown && g.telling(block) > 0 {
		return failed
	}
	return said
}

// coloured reads names that carry no mark but their colour, where no mark of a failure is
// known: a red one among green ones of the same indentation.
func (g *generic) coloured() {
	if slices.ContainsFunc(g.marks, func(m marked) bool { return m.said == failed }) {
		return
	}
	at := map[int]map[byte][]int{} // lines by indentation and colour
	for i := range g.d.Lines {
		l := &g.d.Lines[i]
		if n, is := g.atLine[i]; l.Colour == 0 || is && g.marks[n].said != unknown || l.Used || g.sums[i] ||
			!named(strings.TrimSpace(l.S)) || g.inDiff(i) || ErrorLike(l.S) > 3 {
			continue
		}
		indent := text.IndentOf(l.S)
		if at[indent] == nil {
			at[indent] = map[byte][]int{}
		}
		at[indent][l.Colour] = append(at[indent][l.Colour], i)
	}
	for _, lines := range at {
		if len(lines['r']) == 0 || len(lines['g']) == 0 || len(lines['o']) > 0 {
			continue
		}
		for colour, said := range map[byte]verdict{'r': failed, 'g': passed} {
			for _, i := range lines[colour] {
				s := g.d.Lines[i].S
				m := marked{at: i, head: i, indent: text.IndentOf(s), lead: string(colour) + "\x02", said: said}
				m.name, m.more = cutName(s, "")
				g.note(m)
			}
		}
	}
	g.sortMarks()
}
