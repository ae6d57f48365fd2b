package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// A script of cases runs from its first line to its last, and has variables that each of
// its cases sets for itself.

var (
	scripts = map[string]bool{"lua": true, "perl": true, "php": true}
	// elsewhere is what could read a variable without its name: another file, or a name
	// that is put together.
	elsewhere = pattern.Lazy(`\b(require|include|require_once|include_once|dofile|loadfile|loadstring|load|do_file|` +
		`eval|compact|extract|get_defined_vars|goto|setfenv|getfenv)\b|\$\$|\$\{|\$GLOBALS\b|\b_G\b|` +
		`\bdo\s+["'$]|\bdebug\.`)
	// localAnew declares a variable that nothing above its line sees.
	localAnew = pattern.Lazy(`^\s*(local|my)\b`)
	// perlShared sets a variable that other files see.
	perlShared = pattern.Lazy(`^\s*(local|our)\s+[$@%]|^\s*[$@%]\w+::`)
	// keeps is what keeps a way to the variables that it names: a function, or a reference.
	keeps = pattern.Lazy(`\b(function|fn|sub)\b|[&\\]\s*\$`)
)

// setAgainInScript tells a variable that old lines of a script set too, one that no
// function has, and that what follows sets before it reads it.
func (r *reading) setAgainInScript(b binding) bool {
	t := r.new
	line := t.Code[b.line]
	if !scripts[r.lang.Name] || b.member || b.imported || source.Assignment(line) < 0 ||
		perlShared().MatchString(line) || r.readNextRound(b) {
		return false
	}
	local := localAnew().MatchString(line)
	own, private, known := false, local, false // known by what follows
	var below []int
	for k, code := range t.Code {
		if r.added[k] || t.Blank(k) {
			continue
		}
		named := r.names(k, b.name)
		own = own || named && slices.Contains(source.Assigned(code), b.name)
		if local && k < b.line {
			continue // it sees no variable that is declared below
		}
		if named {
			private = private || r.lang.Name == "perl" && localAnew().MatchString(code)
			if r.inAnyFunction(k) || keeps().MatchString(t.Live[k]) && !setsOnly(code, b.name) {
				return false
			}
		}
		if k < b.line {
			continue
		}
		inCode := source.UsesOf([]string{code}).Alone[b.name]
		if len(below) == 0 && !private && !setsOnly(code, b.name) || !known && !inCode &&
			(named || !(local && r.lang.Name == "lua") && elsewhere().MatchString(t.Live[k])) {
			return false
		}
		known = known || inCode
		below = append(below, k)
	}
	return own && r.setFirst(b, below)
}

// names tells a line with a name in it, in a text too where that could mean a variable.
func (r *reading) names(k int, name string) bool {
	line := r.new.Live[k]
	if r.lang.Name == "lua" {
		line = r.new.Code[k]
	}
	if !strings.Contains(line, name) {
		return false
	}
	u := source.UsesOf([]string{line})
	return u.Alone[name] || u.Member[name]
}
