package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// overloads are languages in which functions of one name differ by what they take.
var overloads = map[string]bool{"java": true, "kotlin": true, "csharp": true, "c": true, "swift": true}

// isOverload tells another case, or another form of a method, of a name that the
// class or file has.
func (r *reading) isOverload(b binding) bool {
	code := r.new.Code[b.line]
	holder := b.scope != nil && b.scope.Sort() == source.Container
	if overloads[r.lang.Name] && r.takesWhatIsNew(b) {
		return true
	}
	if holder && isCase(code) && !r.definedIn(b.scope, b.name) {
		return true
	}
	return (holder || b.scope == nil) && overloads[r.lang.Name] && r.takesAnotherNumber(b) ||
		holder && r.lang.Name == "java" && r.takesPlainValue(b)
}

var (
	// plainValue is a parameter of Java that takes no object, objectOf one that takes an object.
	plainValue = pattern.Lazy(`^\s*(?:final\s+)?(?:boolean|byte|short|char|int|long|float|double)\s+\w+\s*$`)
	objectOf   = pattern.Lazy(`^\s*(?:final\s+)?([A-Z]\w*[a-z]\w*)(?:\[\])*\s+\w+\s*$`)
	// madeOfPlain are types of objects that Java makes of a plain value by itself.
	madeOfPlain = map[string]bool{"Object": true, "Number": true, "Comparable": true, "Serializable": true,
		"Constable": true, "ConstantDesc": true, "Boolean": true, "Byte": true, "Short": true,
		"Character": true, "Integer": true, "Long": true, "Float": true, "Double": true}
)

// takesPlainValue tells a method that no old line can mean: no line calls one with as many values, and
// each that the class has takes an object where this one takes a plain value.
func (r *reading) takesPlainValue(b binding) bool {
	form, is := r.values(b.line, b.name)
	given := r.parameters(b.line, b.name)
	if !is || given == nil {
		return false
	}
	for k := range r.new.Lines {
		if r.added[k] || !r.names(k, b.name) {
			continue
		}
		numbers, is := r.values(k, b.name)
		if !is || strings.Contains(r.new.Code[k], "...") {
			return false
		}
		if !slices.Contains(numbers, form[0]) {
			continue
		}
		old, apart := r.parameters(k, b.name), false
		for i, parameter := range old {
			m := objectOf().FindStringSubmatch(parameter)
			apart = apart || m != nil && !madeOfPlain[m[1]] && !r.isTypeVariable(m[1], b.scope) &&
				i < len(given) && plainValue().MatchString(given[i])
		}
		if !apart {
			return false
		}
	}
	return true
}

// parameters are those of a method whose head is line i, none where that is no head, or one with types
// of its own.
func (r *reading) parameters(i int, name string) []string {
	code := strings.TrimRight(r.new.Code[i], "\r\n")
	m := source.Method().FindStringSubmatch(code)
	_, given, _ := strings.Cut(code, name+"(")
	given, _, whole := strings.Cut(given, ")")
	if m == nil || m[1] != name || !whole || strings.Contains(code, "<") ||
		source.Controls[strings.Fields(code)[0]] {
		return nil
	}
	return strings.Split(given, ",")
}

// isTypeVariable tells the name of a type that a class around a block is given.
func (r *reading) isTypeVariable(name string, b *source.Block) bool {
	return slices.ContainsFunc(source.Chain(&source.Block{Parent: b}), func(around *source.Block) bool {
		return strings.Contains(around.Header, "<") && strings.Contains(around.Header, name)
	})
}

// notCounted are parameters behind which a call may have any number of values, or
// another than it shows.
var notCounted = pattern.Lazy(`\.\.\.|=|<|\b(params|vararg|this|void|template)\b`)

// takesAnotherNumber tells a function that no old line can mean: each that has its name
// calls or declares one with another number of values.
func (r *reading) takesAnotherNumber(b binding) bool {
	form, is := r.values(b.line, b.name)
	_, given, _ := strings.Cut(r.new.Code[b.line], b.name)
	given, _, oneLine := strings.Cut(given, ")")
	if !is || !oneLine || declaresType().MatchString(r.new.Code[b.line]) || r.isGeneric(b) ||
		notCounted().MatchString(given) {
		return false
	}
	for k, live := range r.new.Live {
		if r.added[k] || !r.names(k, b.name) {
			continue
		}
		numbers, is := r.values(k, b.name)
		if !is || strings.HasPrefix(strings.TrimSpace(live), "#") || slices.Contains(numbers, form[0]) {
			return false
		}
	}
	return true
}

// values are the numbers of values that stand in brackets behind a name in line i, which
// may end some lines below; none where the name stands alone, or in a text.
func (r *reading) values(i int, name string) (numbers []int, is bool) {
	const most = 30 // lines of a call
	code := strings.Join(r.new.Code[i:min(i+most, len(r.new.Code))], "")
	for from, n := 0, strings.Count(r.new.Live[i], name); n > 0; n-- {
		at := strings.Index(code[from:], name)
		if at < 0 || from+at >= len(r.new.Code[i]) {
			return nil, false
		}
		from += at + len(name)
		depth, values, filled := 0, 0, false
		for k := from; k < len(code); k++ {
			switch c := code[k]; {
			case c == '(' || c == '[' || c == '{':
				depth++
			case c == ')' || c == ']' || c == '}':
				depth--
			case c == '<':
				return nil, false // of a type, or a comparison
			case c == ',' && depth == 1:
				values++
			case c > ' ':
				filled = true
			}
			if depth == 0 {
				if code[k] != ')' {
					return nil, false
				}
				if filled {
					values++
				}
				numbers = append(numbers, values)
				rest := strings.TrimSpace(code[k+1:])
				if strings.HasPrefix(rest, "{") && !strings.Contains(r.new.Code[i], "fun") && !methodEnds[r.lang.Name] {
					numbers = append(numbers, values+1) // a block is one of them
				}
				break
			}
		}
	}
	return numbers, len(numbers) > 0
}

// methodEnds are languages in which a brace behind brackets begins a body.
var methodEnds = map[string]bool{"java": true, "csharp": true, "c": true}

// takesWhatIsNew tells a function that is given a type that the same change declares: no
// old line has one to give.
func (r *reading) takesWhatIsNew(b binding) bool {
	code, name := r.new.Code[b.line], b.name
	_, given, is := strings.Cut(code, name+"(")
	if !is || r.isGeneric(b) || source.Method().FindStringSubmatch(strings.TrimRight(code, "\r\n")) == nil {
		return false
	}
	given, _, _ = strings.Cut(given, ")")
	used := r.fileUses()
	return slices.ContainsFunc(strings.Split(given, ","), func(parameter string) bool {
		m := givenType().FindStringSubmatch(parameter)
		return m != nil && !used.Alone[m[1]] && !used.Member[m[1]] && r.declaresAnew(m[1])
	})
}

// isGeneric tells a function of types that it names itself.
func (r *reading) isGeneric(b binding) bool {
	before, _ := r.new.Around(b.line, b.line)
	return strings.Contains(r.new.Code[b.line], "<") ||
		before >= 0 && strings.Contains(r.new.Code[before], "template")
}

// declaresAnew tells whether added lines declare a name.
func (r *reading) declaresAnew(name string) bool {
	for i, code := range r.new.Code {
		if m := source.Declared().FindStringSubmatch(code); r.added[i] && m != nil && m[1] == name {
			return true
		}
	}
	return false
}

// givenType is the plain type of a parameter, one that nothing else fits.
var givenType = pattern.Lazy(`^\s*(?:const\s+)?(\w+)\s*[&*]{0,2}\s*\w+\s*$`)

// definedIn tells whether a name is declared directly in an old block.
func (r *reading) definedIn(b *source.Block, name string) bool {
	for i := range r.new.Lines {
		if r.new.Outline.At[i] != b {
			continue
		}
		if m := source.Declared().FindStringSubmatch(r.new.Code[i]); m != nil && m[1] == name {
			// The added line itself is one of these; two are a clash.
			for k := i + 1; k < len(r.new.Lines); k++ {
				if m := source.Declared().FindStringSubmatch(r.new.Code[k]); r.new.Outline.At[k] == b &&
					m != nil && m[1] == name {
					return true
				}
			}
		}
	}
	return false
}
