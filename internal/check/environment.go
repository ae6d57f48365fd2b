package check

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// asserting is how a line looks that compares rather than complains: a test
// about refused connections is a test, not a lack of network.
var asserting = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:expect(?:ed|s)?|want(?:ed)?|got|assert\w*|should|actual|received|to (?:equal|be|contain|match))\b|[^=!<>](?:[=!]==?|<>) [^=]`)
})

// lastWords is how many lines at the end of an output may name the cause.
const lastWords = 80

// Fault is what in the environment broke a step, and how to fix it.
type Fault struct{ Cause, Hint string }

// environmentFault returns what in the environment broke a failed step, if it was the environment.
// It is careful: failing tests count only if none passes and all show the same cause, without
// comparing anything.
func (r *Runner) environmentFault(res Result) Fault {
	if res.End.stopped() || res.End == NoTests {
		return Fault{}
	}
	var said []string
	ways := byTools
	named, complaints := positive(res.Summary.Failed), false
	for _, f := range res.Summary.Failures {
		named = named || f.Test != "" || f.Kind == "test"
		complaints = complaints || !mayBeEnvironment(f.Kind)
		said = append(said, f.Message)
	}
	switch {
	case named && complaints:
		return Fault{}
	case named && positive(res.Summary.Passed): // the tests can run here
		return Fault{}
	case named:
		return r.commonCause(said)
	case complaints: // of a compiler or linter
		ways = byCompilers
	}
	if ways == byTools && (res.Signal == syscall.SIGKILL.String() ||
		res.ExitCode == 128+int(syscall.SIGKILL)) {
		return Fault{"the system killed it, most likely for want of memory", cureMemory}
	}
	lines := strings.Split(strings.TrimRight(res.Tail, "\n"), "\n")
	lines = append(said, lines[max(0, len(lines)-lastWords):]...)
	if f := r.causeOf(ways, lines...); f.Cause != "" {
		return f
	}
	if res.End == NotStarted {
		return Fault{"the command cannot be started: " + firstLine(res.Tail), cureInstall}
	}
	return Fault{}
}

// mayBeEnvironment reports whether the environment can bring about such a failure.
func mayBeEnvironment(kind string) bool {
	switch kind {
	case "", "test", "hook", "error", "load", "crash":
		return true
	}
	return false
}

// commonCause returns the first of the causes in the messages of all failing tests, if they have
// one fix in common.
func (r *Runner) commonCause(messages []string) Fault {
	var first Fault
	for _, m := range messages {
		f := r.causeOf(byTests, m)
		if f.Cause == "" || first.Cause != "" && f.Hint != first.Hint {
			return Fault{}
		}
		if first.Cause == "" {
			first = f
		}
	}
	return first
}

// causeOf returns the first cause in the table that one of the lines shows; w says whose words they
// are.
func (r *Runner) causeOf(w where, lines ...string) Fault {
	var plain []string // those that compare nothing
	for _, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		if line != "" && !asserting().MatchString(line) {
			plain = append(plain, line)
		}
	}
	if f := r.refusedBySandbox(w, plain); f.Cause != "" {
		return f
	}
	table := matchers()
	for i := range table {
		c := &table[i]
		if w&^c.where != 0 || c.beside != nil && !slices.ContainsFunc(lines, c.beside.MatchString) {
			continue
		}
		among := plain
		if c.sure {
			among = lines
		}
		for _, line := range among {
			if f := c.fault(line); f.Cause != "" {
				return f
			}
		}
	}
	if w == byCompilers {
		return Fault{}
	}
	for _, line := range plain {
		if f := r.notInstalled(line); f.Cause != "" {
			return f
		}
	}
	return Fault{}
}

// refusedBySandbox says what the sandbox did not allow.
func (r *Runner) refusedBySandbox(w where, lines []string) Fault {
	if w == byCompilers {
		return Fault{}
	}
	for _, line := range lines {
		if said := r.denial(line); said != "" {
			return Fault{said, cureSandbox}
		}
	}
	return Fault{}
}

// maxCauses bounds the causes that are reported beside failures.
const maxCauses = 3

// singleCauses reports what in the environment makes single tests of a step fail, where others pass
// or fail for other reasons.
func (r *Runner) singleCauses(res Result) []string {
	var notes []string
	for _, f := range res.Summary.Failures {
		if !mayBeEnvironment(f.Kind) {
			continue
		}
		cause := r.denial(f.Message)
		if cause == "" && f.Test != "" {
			cause = r.causeOf(byTests, strings.Split(f.Message, "\n")...).Cause
		}
		if cause != "" && len(notes) < maxCauses && !slices.Contains(notes, cause) {
			notes = append(notes, cause)
		}
	}
	return notes
}

// denial reports what the sandbox did not allow, where a text complains of it.
func (r *Runner) denial(text string) string {
	if x, ok := r.c.Sandbox.(Explainer); ok {
		return x.Explain(text)
	}
	return ""
}

// shellRefusal is a shell's word that it could not start the command.
var shellRefusal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?mi)^(?:/\S+/)?(?:env|sh|bash|dash|zsh|ksh|busybox)?:? ?(?:(?:line )?\d+: )?.*: (?:(?:command )?not found|no such file or directory|permission denied|cannot execute.*|exec format error|is a directory)\s*$|is not recognized as an internal or external command`)
})

// notStarted reports whether the shell could not even start the command: its exit
// code and its word must agree, the word must name the command's own program,
// and no test may have run. What a program behind it could not start is another
// matter.
func notStarted(res Result) bool {
	switch res.ExitCode {
	case 126, 127, 9009:
	default:
		return false
	}
	if s := res.Summary; positive(s.Passed) || positive(s.Failed) {
		return false
	}
	program := firstProgram(res.Command)
	if program == "" {
		return shellRefusal().MatchString(res.Tail)
	}
	for line := range strings.Lines(res.Tail) {
		if shellRefusal().MatchString(line) && namesProgram(line, program) {
			return true
		}
	}
	return false
}

// shellsName is how a shell begins what it says.
var shellsName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:/\S+/)?(?:sh|bash|dash|zsh|ksh|busybox): (?:(?:line )?\d+: )?`)
})

// namesProgram reports whether a line speaks of a program as a whole word.
func namesProgram(line, program string) bool {
	line = shellsName().ReplaceAllString(line, "")
	for word := range strings.FieldsSeq(line) {
		word = strings.Trim(word, ":'\"‘’`")
		if word == program || word == path.Base(program) {
			return true
		}
	}
	return false
}

var (
	// aside are commands of the shell itself: the program comes after them.
	aside = []string{"cd", "export", "set", "unset", "source", ".", "ulimit", "umask", "true", ":", "test",
		"[", "trap", "pushd"}
	// before are words that stand before the program.
	before = []string{"exec", "command", "env", "time", "nice", "nohup", "then", "do", "if", "while", "!", "(", "{"}
)

// firstProgram is the first program that a shell command starts; "" if it is not known.
func firstProgram(command string) string {
	parts := strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune("&|;\n", r) })
	for _, part := range parts {
		words := strings.Fields(strings.TrimLeft(part, "( {"))
		for len(words) > 0 && (assignment().MatchString(words[0]) || slices.Contains(before, words[0])) {
			words = words[1:]
		}
		if len(words) > 0 && !slices.Contains(aside, words[0]) {
			return strings.Trim(words[0], `"'`)
		}
	}
	return ""
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if len(line) > 200 {
		line = strings.ToValidUTF8(line[:200], "") + "…"
	}
	return line
}
