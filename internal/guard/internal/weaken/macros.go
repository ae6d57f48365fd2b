package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// What a macro of C says, it says where it is used: an added one is judged there.

var defines = pattern.Lazy(`^\s*#\s*define\s+(\w+)(\([^()]*\))?`)

// inMacro tells a line of an added macro, but for the first, which gives it its name.
func (r *reading) inMacro(h diff.Hunk, i int) bool {
	first := r.macroOf(i)
	return first >= h.From && first < i
}

// macroOf is the first line of the macro that a line is a part of, or -1.
func (r *reading) macroOf(i int) int {
	if r.lang.Name != "c" {
		return -1
	}
	for i > 0 && joinsNext(r.new.Lines[i-1]) {
		i--
	}
	if defines().MatchString(r.new.Code[i]) {
		return i
	}
	return -1
}

func joinsNext(line string) bool { return strings.HasSuffix(strings.TrimRight(line, "\r\n"), `\`) }

// macros are the added ones by their names, without their heads, line by line.
func (r *reading) macros() map[string][]string {
	if r.ownMacros != nil || r.lang.Name != "c" {
		return r.ownMacros
	}
	r.ownMacros = map[string][]string{}
	for i, code := range r.new.Code {
		m := defines().FindStringSubmatchIndex(code)
		if m == nil || !r.added[i] {
			continue
		}
		name, body := code[m[2]:m[3]], []string{code[m[1]:]}
		for ; i+1 < len(r.new.Code) && joinsNext(r.new.Lines[i]); i++ {
			body = append(body, r.new.Code[i+1])
		}
		for k := range body {
			body[k] = strings.TrimSuffix(strings.TrimSpace(body[k]), `\`)
		}
		r.ownMacros[name] = append(r.ownMacros[name], body...)
	}
	return r.ownMacros
}

// expansion is what the added macros say that line i uses, those too that they use themselves.
func (r *reading) expansion(i int) (said []string) {
	macros := r.macros()
	if len(macros) == 0 || r.macroOf(i) >= 0 {
		return nil
	}
	var met []string
	for use := []string{r.new.Code[i]}; len(use) > 0; use = use[1:] {
		for _, name := range source.Ident().FindAllString(use[0], -1) {
			if body := macros[name]; body != nil && !slices.Contains(met, name) {
				met, said, use = append(met, name), append(said, body...), append(use, body...)
			}
		}
	}
	return said
}
