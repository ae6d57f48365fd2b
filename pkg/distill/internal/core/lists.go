package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// list reads the names below a title such as "Failed tests:". Lines that are
// deeper than a name are its message.
func (g *generic) list(i, proof int) int {
	lines := g.d.Lines
	j := i + 1
	for j < len(lines) && j < i+3 && strings.TrimSpace(lines[j].S) == "" {
		j++
	}
	if j >= len(lines) {
		return j
	}
	base := text.IndentOf(lines[j].S)
	for ; j < len(lines) && j < i+2000; j++ {
		s := lines[j].S
		if _, is := g.atLine[j]; is || lines[j].Used || s == "" || rule(s) || text.IndentOf(s) != base ||
			g.isSum(j) {
			return j
		}
		e, ok := g.listed(s)
		if !ok {
			_, e.place = cutPlaced(g.f.Root, strings.TrimSpace(s))
		}
		scenario, failing := g.scenarioAt(i, e.place)
		if !ok {
			if e.said, e.name = failed, scenario; scenario == "" {
				return j
			}
		}
		if e.place.File != "" && j+1 < len(lines) && lines[j+1].S != "" && text.IndentOf(lines[j+1].S) == base {
			if _, again := g.listed(lines[j+1].S); !again {
				return j // its text is below it
			}
		}
		e.at, e.proof = j, proof
		m := marked{at: j, indent: base}
		if j+1 < len(lines) && text.IndentOf(lines[j+1].S) > base {
			e.block, _ = g.below(&m)
			j += len(e.block)
			for j+1 < len(lines) && lines[j+1].S == "" && j+2 < len(lines) &&
				text.IndentOf(lines[j+2].S) == base && len(e.block) > 0 {
				j++
			}
		}
		if len(e.block) == 0 {
			e.block = failing
		}
		g.ledger.add(e)
	}
	return j
}

// scenarioAt finds the scenario above that has this place behind its title, and what stands
// below its last step.
func (g *generic) scenarioAt(end int, at Frame) (name string, failing []string) {
	if g.steps == nil {
		g.steps = map[string]int{}
		for i := range slices.Backward(g.d.Lines) {
			if _, place, ok := strings.Cut(g.d.Lines[i].S, " # "); ok {
				g.steps[place] = i
			}
		}
	}
	i, told := g.steps[text.Place(at.File, at.Line, 0)]
	if at.File == "" || !told || i >= end {
		return "", nil
	}
	title, _, _ := strings.Cut(strings.TrimSpace(g.d.Lines[i].S), " # ")
	title = strings.TrimSpace(title)
	block, _ := g.below(&marked{at: i, indent: text.IndentOf(g.d.Lines[i].S)})
	for k, s := range slices.Backward(block) {
		if strings.Contains(s, " # ") {
			failing = text.TrimBlock(slices.DeleteFunc(block[k+1:],
				func(s string) bool { return strings.Contains(s, at.File+":") }))
			failing = append(failing, strings.TrimSpace(s))
			break
		}
	}
	return title[len(reScenario().FindString(title)):], failing
}

// listed reads one entry of a list of names.
func (g *generic) listed(s string) (event, bool) {
	t := strings.TrimLeft(s, "-*•· \t")
	if k := text.LeadingDigits(t); k > 0 && k < len(t) && (t[k] == ' ' || t[k] == '.' || t[k] == ')') {
		t = strings.TrimLeft(t[k:], " .)-")
	}
	if m, ok := splitMark(t); ok && m.said == failed && m.lead == "" && m.tail == strings.ToUpper(m.tail) {
		return event{said: failed, name: Qualified(m.name), more: m.more}, nameLike(m.name)
	}
	var at Frame
	if m := rePlaceFirst().FindStringSubmatch(t); m != nil && g.f.Root.Placed(m[1]) { // "a.feature:6  name"
		_, at = cutPlaced(g.f.Root, m[1])
		t = strings.TrimPrefix(m[2], "Scenario: ")
	}
	if head, rest, ok := strings.Cut(t, " # "); ok { // "rspec ./a_spec.rb:3 # name"
		if head = head[strings.LastIndexByte(head, ' ')+1:]; g.f.Root.Placed(head) {
			_, at = cutPlaced(g.f.Root, head)
			t = rest[len(reScenario().FindString(rest)):]
		}
	}
	if at.File == "" {
		t, at = cutPlaced(g.f.Root, t)
	}
	name, more := cutName(t, "")
	if m := reListLine().FindStringSubmatch(t); m != nil { // "Class.test:12 message"
		name, more = m[1], m[2]
	}
	if k := strings.LastIndex(name, " ("); k > 0 && strings.HasSuffix(t, ")") {
		if v := strings.Trim(name[k:], " ()"); verdictOf(v) != unknown ||
			strings.HasPrefix(strings.ToLower(v), "exit") {
			name = name[:k]
		}
	}
	if len(name) > 160 || !nameLike(name) || ErrorLike(name) > 4 || g.f.Root.Placed(name) {
		return event{}, false
	}
	return event{said: failed, name: Qualified(name), more: more, proof: proofListed, place: at}, true
}

var rePlaceFirst = text.Lazy(`^(\S+:\d+)(?::\d+)? +(?:# )?(\S.*)$`)

var reListLine = text.Lazy(`^([A-Z][\w$]*(?:\.[\w$]+)+):\d+ (\S.*)$`)
