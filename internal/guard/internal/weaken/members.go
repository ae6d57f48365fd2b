package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// sortsMembers are languages in which it means nothing in which order the functions and
// types of a class stand.
var sortsMembers = map[string]bool{"java": true, "csharp": true, "kotlin": true}

// member is a function, a type or a variable of a class, with what stands above it and
// belongs to it.
type member struct {
	from, to int
	text     string
	movable  bool
}

// inAnotherOrder tells a change that puts members of a class into another order, each of them
// as it was, and adds whole ones.
func (f *file) inAnotherOrder(old, new []string) bool {
	if !sortsMembers[f.lang.Name] {
		return false
	}
	was, now := f.keep(old), f.read(new)
	before, body := membersOf(was)
	after, bodyNow := membersOf(now)
	if len(before) < 2 || len(after) < len(before) {
		return false
	}
	left := map[string]int{}
	for _, m := range before {
		left[m.text]++
	}
	kept := slices.Clone(old[:body[0]])
	var fixed, fixedNow []string
	at := bodyNow[0]
	for _, m := range after {
		if left[m.text] > 0 {
			left[m.text]--
			kept = append(append(kept, new[at:m.from]...), new[m.from:m.to]...)
			if !m.movable {
				fixedNow = append(fixedNow, m.text)
			}
		}
		at = m.to
	}
	for _, m := range before {
		if left[m.text] > 0 {
			return false
		}
		if !m.movable {
			fixed = append(fixed, m.text)
		}
	}
	kept = append(kept, old[body[1]:]...)
	return slices.Equal(fixed, fixedNow) && !slices.Equal(kept, old) && f.judgeAdditions(kept, new).Why == ""
}

var (
	// methodHead is that of a function with a body, typeOpens that of a type.
	methodHead = pattern.Lazy(`\)\s*(?:throws [\w., ]+|:\s*[\w<>?., ]+)?\s*(?:\{.*)?$`)
	typeOpens  = pattern.Lazy(`\b(class|interface|enum|record|struct)\s+\w+`)
)

// membersOf gives the members of the one class of a file, and the lines between which they
// stand; none where anything else stands there.
func membersOf(t *source.Text) (out []member, body [2]int) {
	var class *source.Block
	for i := range t.Lines {
		if t.Outline.Cond[i] != nil {
			return nil, body
		}
		b := t.Outline.At[i+1]
		if class == nil && b != nil && b.Mark == "{" && b.Line == i && typeOpens().MatchString(b.Header) {
			class = b
			body[0] = i + 1
		}
	}
	if class == nil {
		return nil, body
	}
	from, method := -1, false
	for i := body[0]; i < len(t.Lines); i++ {
		if !source.Within(t.Outline.At[i+1], class) { // the end of the class
			body[1] = i
			if from >= 0 {
				return nil, body
			}
			return out, body
		}
		if from < 0 && strings.TrimSpace(t.Lines[i]) == "" {
			continue
		}
		if from < 0 {
			from, method = i, false
		}
		opened := t.Outline.At[i+1]
		if opened != nil && opened.Line == i && opened.Parent == class && opened.Mark == "{" {
			method = methodHead().MatchString(opened.Header) || typeOpens().MatchString(opened.Header)
		}
		code := strings.TrimSpace(t.Code[i])
		if opened != class || t.EndsInString(i) || !strings.HasSuffix(code, "}") && !strings.HasSuffix(code, ";") {
			continue
		}
		out = append(out, member{from: from, to: i + 1, text: strings.Join(t.Lines[from:i+1], ""),
			movable: method && strings.HasSuffix(code, "}")})
		from = -1
	}
	return nil, body
}
