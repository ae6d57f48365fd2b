package weaken

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// checkPatterns looks for known ways to weaken tests.
func (r *reading) checkPatterns(h diff.Hunk) string {
	for i := h.From; i < h.To; i++ {
		inFunction, _, inCondition, inHolder := r.inside(h, i)
		where := spot{old: true, bare: !inFunction && !inHolder, conditional: inCondition && inFunction,
			top: r.runsOnLoad(i), child: !(!inFunction && !inHolder) && source.InChild(r.new, i)}
		code, live := r.withoutSignals(i)
		if r.deletesOwn(h, i) {
			continue
		}
		if why := weakening(r.lang, code, live, where); why != "" {
			return fmt.Sprintf("The added line %q %s.", diff.Shorten(r.new.Lines[i]), why)
		}
		if inFunction || inHolder {
			continue
		}
		if _, after := r.new.Around(h.To, h.To); after >= 0 && h.At < len(r.old.Lines) &&
			r.standsIn(r.new.Code[i]) && (r.inAnyFunction(i) || r.inHook(i)) && !r.answersOwnPath(i) && !r.setsOneMore(i) {
			return fmt.Sprintf("The added line %q replaces something for old lines of the test.",
				diff.Shorten(r.new.Lines[i]))
		}
	}
	return ""
}

// standIn are ways to put a double in the place of what old lines use.
var standIn = pattern.Lazy(`\b(spyOn|mockReturn\w*|mockImpl\w*|mockResolved\w*|monkeypatch|setattr|` +
	`patch|stub\w*|doReturn|useFakeTimers|and_return|allow_any_instance_of|Setenv|setenv|putenv|` +
	`mock\.\w+)\b\s*[.(]|\bpatch(\.object)?\(`)

// sendsPatch asks a server to change something, by the method of that name.
var sendsPatch = pattern.Lazy(`\b\w*(?:[cC]lient|session|app|http|requests?|api)(?:\(\w*\))?\.patch\(`)

// standsIn tells a line that puts a double in a place. Where a word for that is the name of a method
// of HTTP, only Python has it for both.
func (r *reading) standsIn(code string) bool {
	if r.lang.Name == "python" {
		return standIn().MatchString(sendsPatch().ReplaceAllString(code, ""))
	}
	return standIn().MatchString(otherPatch().ReplaceAllString(code, ""))
}

var otherPatch = pattern.Lazy(`\bpatch\b`)

var hookHead = pattern.Lazy(`^(before|after|around|let!?|subject!?|setup|teardown|prepend_before|` +
	`append_after)\b`)

// inHook tells a line in what runs around cases, in Ruby, where that is no function.
func (r *reading) inHook(i int) bool {
	for b := r.new.Outline.At[i]; b != nil; b = b.Parent {
		if r.lang.Name == "ruby" && hookHead().MatchString(b.Header) {
			return true
		}
	}
	return false
}

var httpAnswer = pattern.Lazy(`\bstub\w*(?:\.(?:get|post|put|patch|delete|head|options)\b|` +
	`_request\b\W+\w+\W*)\s*\(?\s*['"]([^'"#{}*]{3,})['"]`)

// answersOwnPath tells the answer of a false server for a path that no old line
// names: nothing that was asked for gets it.
func (r *reading) answersOwnPath(i int) bool {
	m := httpAnswer().FindStringSubmatch(r.new.Live[i])
	if m == nil {
		return false
	}
	rest := strings.Replace(r.new.Live[i], m[0], "", 1)
	return !standIn().MatchString(rest) && !strings.Contains(rest, ";") && !slices.ContainsFunc(r.old.Live,
		func(old string) bool { return strings.Contains(old, m[1]) })
}

var (
	// setsEnv sets a variable of the surroundings: its name, and that up to its last part.
	setsEnv = pattern.Lazy(`^\s*(?:\w+\.)?[sS]etenv\(\s*"(((?:[A-Z0-9]+_)+)[A-Z0-9]+)"\s*,`)
	// readByOthers begins names of variables that a language, a runner or a system goes by.
	readByOthers = pattern.Lazy(`^(?:GO|C?GO|NODE|NPM|PY\w*|RUBY\w*|GEM|BUNDLE|JAVA|JDK|MAVEN|GRADLE|LC|LD|DYLD|` +
		`XDG|GIT|SSL|HTTPS?|NO|CI|GITHUB|GITLAB|RUST\w*|CARGO|PERL\w*|PHP|DOTNET|MIX|ERL|CTEST|GTEST|JEST|TEST|MALLOC|ASAN)_`)
)

// setsOneMore tells a variable of the surroundings, set among others of the same beginning that an
// old test of Go sets right above or below: one more that is read beside those, of a name that no old line has.
func (r *reading) setsOneMore(i int) bool {
	m := setsEnv().FindStringSubmatch(r.new.Live[i])
	if r.lang.Name != "go" || m == nil || readByOthers().MatchString(m[2]) || r.namedBefore(m[1]) {
		return false
	}
	before, after := i, i
	for before >= 0 && r.added[before] {
		before--
	}
	for after < len(r.added) && r.added[after] {
		after++
	}
	for _, k := range []int{before, after} {
		if k < 0 || k == len(r.added) || r.new.Outline.At[k] != r.new.Outline.At[i] {
			continue
		}
		if beside := setsEnv().FindStringSubmatch(r.new.Live[k]); beside != nil &&
			(strings.HasPrefix(m[2], beside[2]) || strings.HasPrefix(beside[2], m[2])) {
			return true
		}
	}
	return false
}

// spot says where a line of a test stands.
type spot struct {
	old         bool // added to an old file, not part of a new one
	bare        bool // old and not inside a function or class that was added too
	conditional bool // under a condition of its own
	top         bool // not inside any function
	child       bool // in a process that the test itself started
}

// reach is where a pattern counts.
type reach int

type compiled struct {
	weakness
	regexp *pattern.Pattern
}

// patternsOf compiles the table for a language when that is first needed.
var patternsOf = sync.OnceValue(func() func(string) []compiled {
	var mu sync.Mutex
	byLang := map[string][]compiled{}
	return func(name string) []compiled {
		mu.Lock()
		defer mu.Unlock()
		if list, ok := byLang[name]; ok {
			return list
		}
		list := []compiled{}
		for _, w := range weaknesses {
			for _, l := range strings.Fields(w.langs) {
				if l == name {
					list = append(list, compiled{w, pattern.Compile(w.re)})
				}
			}
		}
		byLang[name] = list
		return list
	}
})

// modifier is a condition in the line of what it guards.
var modifier = pattern.Lazy(`^\s*(if|unless)\b.+|\S\s+(if|unless)\s+\S`)

// weakening says what is wrong with a new line of a test, or nothing.
func weakening(lang *lexer.Language, code, live string, at spot) string {
	for _, w := range patternsOf()(lang.Name) {
		switch {
		case w.reach == plain && at.conditional,
			w.reach == bare && !at.bare,
			w.reach == inOld && !at.old,
			w.reach == top && !at.top,
			w.why == quits && at.child:
			continue
		}
		if w.reach == plain && !at.bare && modifier().MatchString(code) &&
			!source.Constant().MatchString(strings.TrimSpace(code)) {
			continue // skip unless it can run
		}
		line := code
		if w.text {
			line = live
		}
		if w.regexp.MatchString(strings.TrimRight(line, "\r\n")) {
			return w.why
		}
	}
	return ""
}
