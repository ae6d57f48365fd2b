package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	// caseLabel is one plain value: where a value may stand twice, a text that begins with
	// a letter, so that nothing else equals it.
	caseLabel = map[string]func() *pattern.Pattern{
		"php": textLabel, "js": textLabel,
		"c": constantLabel, "java": constantLabel, "csharp": constantLabel, "dart": constantLabel,
	}
	textLabel     = pattern.Lazy(`^case\s+(['"][A-Za-z][\w .:/-]*['"])\s*:$`)
	constantLabel = pattern.Lazy(`^case\s+(['"][A-Za-z][\w .:/-]*['"]|[A-Za-z_][\w.:]*)\s*:$`)
	leavesCase    = pattern.Lazy(`^\s*(break|return|throw|continue)\b[^;]*;\s*$`)
	breaks        = pattern.Lazy(`^\s*break\s*;\s*$`)
	tells         = pattern.Lazy(`(?i)assert|expect|should|fail|require|check|verify|throw|raise|error|exit`)
)

// inNewCase tells a break by which a case ends that was added to a switch, whole and for
// a value that no old line names. A switch that asserts anything is left alone: what it
// did with other values could be what they were to meet.
func (r *reading) inNewCase(h diff.Hunk, i int) bool {
	label, t := caseLabel[r.lang.Name], r.new
	b := t.Outline.At[i]
	if label == nil || !breaks().MatchString(strings.TrimRight(t.Code[i], "\r\n")) || b == nil ||
		b.Line >= h.From || !strings.HasPrefix(b.Header, "switch") {
		return false
	}
	before, first := t.Around(h.From, h.From)
	last, _ := t.Around(h.To, h.To)
	m := label().FindStringSubmatch(strings.TrimSpace(t.Live[first]))
	if m == nil || last < first || t.Outline.At[first] != b || t.Outline.At[last] != b ||
		!breaks().MatchString(strings.TrimRight(t.Code[last], "\r\n")) ||
		before != b.Line && (t.Outline.At[before] != b ||
			!leavesCase().MatchString(strings.TrimRight(t.Code[before], "\r\n"))) {
		return false
	}
	value := strings.Trim(m[1], `'"`)
	for k, live := range t.Live {
		if !r.added[k] && (strings.Contains(live, value) ||
			source.Within(t.Outline.At[k], b) && tells().MatchString(live)) {
			return false
		}
	}
	return r.oneLabel(h, first)
}

var (
	rubyWhen  = pattern.Lazy(`^\s*when\s+(['"][A-Za-z][\w .:/-]*['"])\s*$`)
	rubyLabel = pattern.Lazy(`^\s*(when|else|in|end)\b`)
)

// addsWhen tells, in Ruby, a case that was added whole, for a value that no old line names, to what
// asserts nothing.
func (r *reading) addsWhen(h diff.Hunk, first, after int) bool {
	t := r.new
	b := t.Outline.At[first]
	m := rubyWhen().FindStringSubmatch(strings.TrimRight(t.Live[first], "\r\n"))
	if r.lang.Name != "ruby" || m == nil || b == nil || after < 0 || t.Outline.At[after] != b ||
		!rubyLabel().MatchString(t.Code[after]) {
		return false
	}
	for k := first + 1; k < h.To; k++ {
		if t.Outline.At[k] == b && rubyLabel().MatchString(t.Code[k]) {
			return false
		}
	}
	value := strings.Trim(m[1], `'"`)
	for k, live := range t.Live {
		if !r.added[k] && (strings.Contains(live, value) ||
			source.Within(t.Outline.At[k], b) && tells().MatchString(live)) {
			return false
		}
	}
	return true
}

// oneLabel tells lines of which none but the first is a label.
func (r *reading) oneLabel(h diff.Hunk, first int) bool {
	for k := first + 1; k < h.To; k++ {
		if anyLabel().MatchString(r.new.Code[k]) {
			return false
		}
	}
	return true
}

var anyLabel = pattern.Lazy(`^\s*(case\b|default\b|\w+\s*:\s*$)`)

var (
	goTypeSwitch = pattern.Lazy(`^switch\b.*\.\(type\)$`)
	goTypeCase   = pattern.Lazy(`^case\s+\*?(\w+)\s*:$`)
	goLabel      = pattern.Lazy(`^\s*(case\b.*|default\s*):$|^\s*\}`)
)

// inCaseOfNewType tells a line of a case that was added to a switch of Go, whole, for a
// struct that was added with it: no old value is one.
func (r *reading) inCaseOfNewType(h diff.Hunk, scope *source.Block) bool {
	t := r.new
	if r.lang.Name != "go" || scope == nil || !goTypeSwitch().MatchString(scope.Header) {
		return false
	}
	before, first := t.Around(h.From, h.From)
	_, after := t.Around(h.To, h.To)
	m := goTypeCase().FindStringSubmatch(strings.TrimSpace(t.Code[first]))
	if m == nil || !r.oneLabel(h, first) || after < 0 ||
		strings.HasSuffix(strings.TrimSpace(t.Code[before]), "fallthrough") ||
		!goLabel().MatchString(strings.TrimRight(t.Code[after], " \t\r\n")) {
		return false
	}
	for k, code := range t.Code {
		if r.added[k] && t.Outline.At[k] == nil && strings.HasPrefix(code, "type "+m[1]+" struct") {
			return true
		}
	}
	return false
}
