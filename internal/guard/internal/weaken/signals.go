package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	// rubyKill sends a signal: its name, and the process that gets it.
	rubyKill = pattern.Lazy(`\bProcess\.kill\b\s*\(?\s*(\S+)\s*,\s*([@\w.]+|\$\$)\s*\)?`)
	// namesItself is the number of the test's own process, of its group or of its parent.
	namesItself = pattern.Lazy(`\$\$|\$PID\b|\$PROCESS_ID\b|\bProcess\.(pp?id|getpg\w+|getsid)\b|` +
		`\bProcess\.(method|send|public_send)\b|/proc/|\bself/stat`)
	ownProcess = pattern.Lazy(`^(Process\.|\$)`)
	signalName = pattern.Lazy(`^:?['"]?(?:SIG)?([A-Z]+\d?)['"]?$`)
)

// rustCfg is a condition of what follows it.
var rustCfg = pattern.Lazy(`#\[\s*cfg\([^\[\]]*\)\s*\]`)

// ofParameter is such a condition, and the name of the parameter that it is for.
var ofParameter = pattern.Lazy(`^#\[\s*cfg\([^\[\]]*\)\s*\]\s*(?:(?:mut|const)\s+)?\'?\w+\s*(?::[^:]|[,>)])`)

// withoutParameters blanks, in a line, conditions of parameters whose list begins in it: what they
// leave out is the parameter, and no item.
func withoutParameters(code string) string {
	depth := 0
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '(' || c == '<':
			depth++
		case c == ')' || c == '>' && i > 0 && code[i-1] != '-' && code[i-1] != '=':
			depth--
		case c == ';' || c == '{' || c == '}':
			depth = 0
		case c == '#' && depth > 0 && ofParameter().MatchString(code[i:]):
			code = blanked(code, i, i+rustCfg().FindStringIndex(code[i:])[1])
		}
	}
	return code
}

// inNewArguments tells a line in brackets that were added, as an entry of a macro.
func (r *reading) inNewArguments(i int) bool {
	b := r.new.Outline.At[i]
	return b != nil && (b.Mark == "(" || b.Mark == "[") && (len(r.old.Lines) == 0 || r.added[b.Line])
}

// unloads takes a module of Elixir away.
var unloads = pattern.Lazy(`^\s*:code\.(?:delete|purge)\(\s*([A-Z]\w*)\s*\)\s*$`)

// isNewModule tells one that is defined where it was added, by a name that no old line has.
func (r *reading) isNewModule(name string) bool {
	head := "defmodule " + name + " do"
	return !r.namedBefore(name) && slices.ContainsFunc(r.new.Code, func(code string) bool {
		return strings.TrimSpace(code) == head
	})
}

// whereItCan skips a case where the platform lacks what it tries.
var whereItCan = pattern.Lazy(`\bskip:\s*!\(\s*['"][A-Za-z]\w*['"]\s+in\s+[A-Za-z]\w*(?:\.\w+)*\s*\)`)

// forSome gives a way of its own to declare cases, which are skipped where a condition says so.
var forSome = pattern.Lazy(`^\s*(?:const|let|var)\s+(\w+)\s*=\s*(!?[A-Za-z_]\w*(?:\.\w+)*)` +
	`(?:\s*[!=]==?\s*['"]\s*['"])?\s*\?\s*` +
	`(?:(it|test|describe)\s*:\s*(it|test|describe)\.skip|(it|test|describe)\.skip\s*:\s*(it|test|describe))\s*;?\s*$`)

// namesForSome tells such a way, by a name that no old line has.
func (r *reading) namesForSome(i int) bool {
	m := forSome().FindStringSubmatch(strings.TrimRight(r.new.Code[i], "\r\n"))
	return m != nil && m[3]+m[5] == m[4]+m[6] && !decided[strings.TrimPrefix(m[2], "!")] && !r.namedBefore(m[1]) &&
		!testWord[m[1]]
}

// decided are conditions that are none.
var decided = map[string]bool{"true": true, "false": true, "null": true, "undefined": true, "NaN": true}

// testWord are the names by which cases of JavaScript are declared.
var testWord = map[string]bool{"it": true, "test": true, "describe": true, "context": true, "suite": true,
	"specify": true, "expect": true, "assert": true}

// withoutSignals is line i without what sends signals that end no run of tests: to a
// process that the test started, or, to itself, one that nobody takes for an end.
func (r *reading) withoutSignals(i int) (code, live string) {
	code, live = r.withoutDisabling(i, r.new.Code[i]), r.new.Live[i]
	if r.pollutesAWhile(i) {
		return "", ""
	}
	if m := rustCfg().FindStringIndex(code); m != nil && r.lang.Name == "rust" && r.inNewArguments(i) {
		return blanked(code, m[0], m[1]), live
	}
	if r.lang.Name == "rust" {
		return withoutParameters(code), live
	}
	if m := replacesForCase().FindStringIndex(live); m != nil && r.lang.Name == "python" {
		return blanked(code, m[0], m[1]), live
	}
	if m := unloads().FindStringSubmatch(code); m != nil && r.lang.Name == "elixir" && r.isNewModule(m[1]) {
		return "", ""
	}
	if m := mapped().FindStringIndex(live); m != nil && r.lang.Name == "java" {
		return blanked(code, m[0], m[1]), blanked(live, m[0], m[1])
	}
	if m := privateType().FindStringIndex(code); m != nil && r.inNewType(i) {
		return blanked(code, m[0], m[1]), blanked(live, m[0], m[1])
	}
	if expected := knownIssue().FindString(code); r.lang.Name == "swift" && expected != "" && r.inNewCaseOfSwift(i) {
		return strings.ReplaceAll(code, expected, ""), live
	}
	if r.lang.Name == "php" {
		if r.handlesAWhile(i) {
			return "", ""
		}
		return r.withoutPestSkip(i, code), live
	}
	if r.lang.Name == "js" && (r.listensAWhile(i) || r.triesAgain(i) || r.keepsRunning(i) || r.replacesAWhile(i)) {
		return "", ""
	}
	if m := whereItCan().FindStringIndex(live); m != nil && r.lang.Name == "js" {
		return blanked(code, m[0], m[1]), live
	}
	if r.lang.Name == "js" {
		if r.namesForSome(i) {
			return "", ""
		}
		return failsAtOnce().ReplaceAllStringFunc(code, asBlanks), live
	}
	if r.lang.Name != "ruby" || !strings.Contains(code, "Process.kill") {
		return code, live
	}
	for _, m := range rubyKill().FindAllStringSubmatchIndex(live, -1) {
		if r.endsNothing(live[m[2]:m[3]], live[m[4]:m[5]]) {
			code, live = blanked(code, m[0], m[1]), blanked(live, m[0], m[1])
		}
	}
	return code, live
}

// replacesForCase puts, by the fixture that takes it back, something else for a function that reads or
// writes: no test asserts with those.
var replacesForCase = pattern.Lazy(`^\s+monkeypatch\.setattr\(\s*(?:builtins\s*,\s*["'](?:open|input|print)["']|` +
	`["']builtins\.(?:open|input|print)["'])`)

// knownIssue is what a case of Swift expects a failure by.
var knownIssue = pattern.Lazy(`\b(?:withKnownIssue|XCTExpectFailure)\b`)

// failsAtOnce ends the process with a failure, which lets nothing pass.
var failsAtOnce = pattern.Lazy(`\bprocess\.exit\(\s*([1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\s*\)`)

func asBlanks(text string) string { return strings.Repeat(" ", len(text)) }

// blanked is a text with blanks for a part of it, so that all else stays where it is.
func blanked(text string, from, to int) string {
	return text[:from] + asBlanks(text[from:to]) + text[to:]
}

// swiftCase is the head of a case of Swift, below its mark or with a name that makes it one.
var swiftCase = pattern.Lazy("(?m)^[ \t]*(@Test(\\([^()]*\\))?\\s+func\\s+(\\w+|`[^`]*`)\\s*\\([^{};]*|func\\s+test\\w*\\(\\)[^{};]*)\\{\\s*$")

// inNewCaseOfSwift tells a line of a case that was added, and that takes no other's place:
// what it takes for a known issue must be reported, or it fails.
func (r *reading) inNewCaseOfSwift(i int) bool {
	for b := r.new.Outline.At[i]; b != nil; b = b.Parent {
		if (len(r.old.Lines) == 0 || r.added[b.Line]) &&
			swiftCase().MatchString(strings.Join(r.new.Code[max(0, b.Line-1):b.Line+1], "")) {
			return true
		}
	}
	return false
}

// privateType declares a type that only the type around it can name.
var privateType = pattern.Lazy(`^\s*private\s+(?:\w+\s+)*(?:class|object|record|enum)\s+\w+`)

// inNewType tells a line of the body of a type that was added.
func (r *reading) inNewType(i int) bool {
	b := r.new.Outline.At[i]
	return typeApart[r.lang.Name] && b != nil && declaresType().MatchString(b.Header) &&
		(len(r.old.Lines) == 0 || r.added[b.Line])
}

func (r *reading) endsNothing(signal, process string) bool {
	signal = r.valueOf(signal)
	name := signalName().FindStringSubmatch(signal)
	if name != nil && slices.Contains([]string{"USR1", "USR2", "WINCH", "CONT"}, name[1]) {
		return true
	}
	return strings.Contains(process, "pid") && !ownProcess().MatchString(process) &&
		!slices.ContainsFunc(r.new.Live, namesItself().MatchString)
}

// valueOf is what a file sets a constant to, once, or else the name itself.
func (r *reading) valueOf(name string) string {
	value := name
	for _, live := range r.new.Live {
		left, right, is := strings.Cut(strings.TrimSpace(live), "=")
		if !is || strings.TrimSpace(left) != name || name != strings.ToUpper(name) {
			continue
		}
		if value != name {
			return name
		}
		value = strings.TrimSpace(right)
	}
	return value
}

var (
	// listens waits for what no code has caught, ceases takes that back.
	listens = pattern.Lazy(`^\s*process\.(?:on|once)\(\s*['"](unhandledRejection|uncaughtException)['"]\s*,` +
		`\s*(\w+)\s*\)\s*;?\s*$`)
	ceases = pattern.Lazy(`\bprocess\.(?:off|removeListener)\(\s*['"](\w+)['"]\s*,\s*(\w+)\s*\)`)
)

// listensAWhile tells, in a function of a test, a listener for what is not caught that
// the same function takes away again, whatever happens.
func (r *reading) listensAWhile(i int) bool {
	m := listens().FindStringSubmatch(strings.TrimRight(r.new.Live[i], "\r\n"))
	if m == nil {
		return false
	}
	return r.takenBack(i, func(live string) bool {
		c := ceases().FindStringSubmatch(live)
		return c != nil && c[1] == m[1] && c[2] == m[2]
	})
}

var (
	// keepsGlobal keeps a part of JavaScript itself aside, setsGlobal sets it.
	keepsGlobal = pattern.Lazy(`^\s*const\s+(\w+)\s*=\s*(?:globalThis\.|global\.|window\.)?([A-Z]\w*)\s*;?\s*$`)
	setsGlobal  = pattern.Lazy(`^\s*(?:globalThis|global|window)\.([A-Z]\w*)\s*=\s*(\w+)\b`)
)

// replacesAWhile tells, in a case that was added, a double of such a part that the case sets back,
// whatever happens.
func (r *reading) replacesAWhile(i int) bool {
	m := setsGlobal().FindStringSubmatch(r.new.Live[i])
	if m == nil {
		return false
	}
	kept := ""
	for _, live := range r.new.Live {
		if k := keepsGlobal().FindStringSubmatch(strings.TrimRight(live, "\r\n")); k != nil && k[2] == m[1] {
			kept = k[1]
		}
	}
	return kept != "" && (m[2] == kept || r.takenBack(i, func(live string) bool {
		back := setsGlobal().FindStringSubmatch(live)
		return back != nil && back[1] == m[1] && back[2] == kept
	}))
}

// takenBack tells, in an added function, what a line of the same function that runs in any case undoes.
func (r *reading) takenBack(i int, undone func(live string) bool) bool {
	around := r.new.Outline.At[i]
	inside := around
	for inside != nil && inside.Sort() != source.Function {
		inside = inside.Parent
	}
	if inside == nil || len(r.old.Lines) > 0 && !r.added[inside.Line] {
		return false
	}
	for k := i + 1; k < len(r.new.Live) && (r.new.Blank(k) || source.Within(r.new.Outline.At[k], around)); k++ {
		if !undone(r.new.Live[k]) {
			continue
		}
		b := r.new.Outline.At[k]
		for b != around && b != nil && undoes().MatchString(b.Header) {
			b = b.Parent
		}
		if b == around {
			return true
		}
	}
	return false
}

// undoes is the head of a block that runs behind a test, or behind a part of it.
var undoes = pattern.Lazy(`^(\}\s*)?(try|finally)\b|\b(after|teardown|onTestFinished|addTeardown)\(\s*(async\s*)?\(\)\s*=>\s*$`)

// asksForTests is a call that registers cases, or a configuration of them.
var asksForTests = pattern.Lazy(`\b(it|test|describe|suite|context|specify|bench|step|task|configure|defineConfig|` +
	`use|extend)\b`)

// triesAgain tells, in a case that was added, how often something is to be tried that
// the case calls, and that registers no cases.
func (r *reading) triesAgain(i int) bool {
	b := r.new.Outline.At[i]
	if b == nil || b.Mark != "{" || !r.added[b.Line] || !optionOfCall().MatchString(r.new.Code[b.Line]) {
		return false
	}
	inside := b.Parent
	for at := b; at != nil && at.Line == b.Line || at != nil && at.Mark == "("; at = at.Parent {
		if asksForTests().MatchString(r.new.Code[at.Line]) {
			return false
		}
		inside = at.Parent
	}
	for ; inside != nil; inside = inside.Parent {
		if inside.Sort() == source.Function && r.added[inside.Line] {
			return true
		}
	}
	return false
}

// optionOfCall is the end of a line that begins the options of a call.
var optionOfCall = pattern.Lazy(`\w\(([^(){}]*,)?\s*\{\s*$`)

// mapped is an annotation of a mapper, by the name of one that skips tests.
var mapped = pattern.Lazy(`@Ignored\(\s*targets\s*=\s*(?:\{[^{}]*\}|"[^"]*")[^()]*\)`)

var exits = pattern.Lazy(`^\s*process\.exit\s*=[^=]`)

// keepsRunning tells, in a case that was added, a double for what ends the process, that
// the file takes back.
func (r *reading) keepsRunning(i int) bool {
	if !exits().MatchString(r.new.Code[i]) {
		return false
	}
	for b := r.new.Outline.At[i]; b != nil; b = b.Parent {
		if b.Sort() == source.Function && r.added[b.Line] {
			return r.putsBack(i, "process.exit")
		}
	}
	return false
}
