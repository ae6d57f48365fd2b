package source

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

var funcWord = pattern.Lazy(`^(func|sub|fn|function|def|defp|fun)\b`)

var methodLanguages = map[string]bool{"java": true, "csharp": true, "c": true, "dart": true}

var funcValue = pattern.Lazy(`^\s*(?:(?:var|const|let)\s+)?(\w+)\s*:?=\s*(?:async\s+)?(?:func|` +
	`function|lambda)\b`)

// Functions gives the bodies of the functions of a file by their names.
func (t *Text) Functions() map[string][]string {
	if t.bodies != nil {
		return t.bodies
	}
	t.bodies = map[string][]string{}
	for i, line := range t.Code {
		line = strings.TrimRight(line, "\r\n")
		var name string
		var at int
		if m := Declared().FindStringSubmatchIndex(line); m != nil {
			if !funcWord().MatchString(line[m[0]:m[2]]) {
				continue
			}
			name, at = line[m[2]:m[3]], m[1]
		} else if m := Method().FindStringSubmatchIndex(line); m != nil &&
			methodLanguages[t.Source.Lang.Name] && !Controls[strings.Fields(line)[0]] {
			name, at = line[m[2]:m[3]], m[3]
		} else if m := funcValue().FindStringSubmatchIndex(line); m != nil {
			name, at = line[m[2]:m[3]], m[1]
		} else {
			continue
		}
		t.bodies[name] = append(t.bodies[name], BodyOf(t, i, at))
	}
	return t.bodies
}

// BodyOf gives the code of the function whose header is line i, without the
// header up to column at.
func BodyOf(t *Text, i, at int) string {
	out := []string{strings.TrimLeft(t.Code[i][at:], ") ")}
	if t.Source.Lang.Indent {
		if _, body, ok := strings.Cut(t.Code[i][at:], ":"); ok {
			out[0] = body
		}
	}
	base := t.Outline.At[i]
	for k := i + 1; k < len(t.Code) && k < i+40; k++ {
		if strings.TrimSpace(t.Code[k]) == "" {
			continue
		}
		b := t.Outline.At[k]
		if b == base && len(out) == 1 && strings.HasPrefix(strings.TrimSpace(t.Code[k]), "{") {
			continue // the brace on a line of its own
		}
		if b == base || !Within(b, base) {
			break
		}
		out = append(out, strings.TrimSpace(t.Code[k]))
	}
	return strings.Join(out, "\n")
}
