package check

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"syscall"
)

// cause is one way in which the environment breaks a step. To add one, add a
// row: a pattern that matches one line of output, and the sentence to say, in
// which $1 is the pattern's first group.
type cause struct {
	re       *regexp.Regexp
	sentence string
	// loadOnly causes count only where no test failure was recognised: a test
	// may well print such a line by itself.
	loadOnly bool
}

var causes = sync.OnceValue(func() []cause {
	row := func(pattern, sentence string, loadOnly bool) cause {
		return cause{regexp.MustCompile(`(?i)` + pattern), sentence, loadOnly}
	}
	return []cause{
		row(`^booty: sandbox: (.+)`, "the sandbox could not be set up: $1", true),
		row(`\bno space left on device|\bENOSPC\b|not enough space on the disk|disk quota exceeded|\bEDQUOT\b`, "the disk is full", false),
		row(`address already in use|\bEADDRINUSE\b|only one usage of each socket address`, "a port that the tests need is in use by another program", false),
		row(`too many open files|\bEMFILE\b|\bENFILE\b`, "the limit of open files is reached", false),
		row(`cannot allocate memory|\bENOMEM\b|javascript heap out of memory|java\.lang\.OutOfMemoryError`, "the memory is used up", true),
		row(`cannot connect to the docker daemon|could not find a valid docker environment|error during connect: .*docker`, "the tests need Docker, and it does not answer", false),
		row(`(?:connection refused|ECONNREFUSED|could not connect|can't connect).{0,80}\b(?::|port )(5432|3306|6379|27017|5672|9092|9200|11211|1433)\b|\b(?:127\.0\.0\.1|localhost|::1\]?):(5432|3306|6379|27017|5672|9092|9200|11211|1433)\b.{0,80}(?:connection refused|ECONNREFUSED)`, "a service that the tests need (port $1) does not answer", false),
		row(`could not resolve host|temporary failure in name resolution|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|dial tcp: lookup \S+.*(?:no such host|server misbehaving|i/o timeout)|name or service not known|network is unreachable|\bENETUNREACH\b`, "the network does not answer", false),
		row(`^npm (?:err!|error) (?:code (?:ETIMEDOUT|ECONNRESET|ENOTFOUND|E5\d\d)|network )|could not transfer artifact|failed to download from|spurious network error|unable to update registry|toolchain not available`, "a package could not be downloaded", true),
		row(`^(?:/\S+/)?(?:env|sh|bash|dash|zsh|ksh)(?:: line)?(?:: \d+)?: ([\w.+-]+): (?:command )?not found`, "$1 is not installed", true),
		row(`^(?:env|/usr/bin/env): [‘'"]?([\w.+-]+)['’"]?: no such file or directory`, "$1 is not installed", true),
		row(`^g?make(?:\[\d+\])?: ([\w.+-]+): (?:no such file or directory|command not found)`, "$1 is not installed", true),
		row(`^'?"?([\w.+-]+)"?'? is not recognized as an internal or external command`, "$1 is not installed", true),
		row(`^\S*python[\d.]*(?:\.exe)?: no module named ([\w.]+)`, "the Python module $1 is not installed", true),
		row(`exec: "([\w.+-]+)": executable file not found in`, "$1 is not installed", true),
		row(`error while loading shared libraries: (\S+):`, "the shared library $1 is missing", true),
	}
})

// asserting is how a line looks that compares rather than complains: a test
// about refused connections is a test, not a lack of network.
var asserting = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:expect(?:ed|s)?|want(?:ed)?|got|assert\w*|should|actual|received|to (?:equal|be|contain|match))\b`)
})

// lastWords is how many lines at the end of an output may name the cause.
const lastWords = 40

// environmentFault says what of the environment broke a failed step, or "".
// It is careful: a failing test counts only if every failing test tells the
// same cause, and without comparing anything.
func (r *Runner) environmentFault(res Result) string {
	if res.TimedOut || res.FilledDisk || res.NoTests {
		return ""
	}
	var tests []string
	for _, f := range res.Summary.Failures {
		if f.Kind != "" && f.Kind != "test" && f.Kind != "error" && f.Kind != "load" {
			return "" // a compiler's or linter's complaint
		}
		tests = append(tests, f.Message)
	}
	if len(tests) > 0 {
		return r.commonCause(tests)
	}
	if res.Signal == syscall.SIGKILL.String() || res.ExitCode == 128+int(syscall.SIGKILL) {
		return "the system killed it, most likely for want of memory"
	}
	lines := strings.Split(strings.TrimRight(res.Tail, "\n"), "\n")
	for _, line := range lines[max(0, len(lines)-lastWords):] {
		if said := r.causeOf(strings.TrimSpace(line), true); said != "" {
			return said
		}
	}
	if res.NotStarted {
		return fmt.Sprintf("the command cannot be started: %s", firstLine(res.Tail))
	}
	return ""
}

// commonCause gives the cause that all messages share.
func (r *Runner) commonCause(messages []string) string {
	first := ""
	for _, m := range messages {
		said := r.causeOf(m, false)
		if said == "" || first != "" && said != first {
			return ""
		}
		first = said
	}
	return first
}

// causeOf gives the sentence for a text; load says that no test was recognised.
func (r *Runner) causeOf(text string, load bool) string {
	if asserting().MatchString(text) {
		return ""
	}
	if x, ok := r.c.Sandbox.(Explainer); ok {
		if said := x.Explain(text); said != "" {
			return said
		}
	}
	table := causes()
	for i := range table {
		c := &table[i]
		if c.loadOnly && !load {
			continue
		}
		if m := c.re.FindStringSubmatch(text); m != nil {
			return strings.ReplaceAll(c.sentence, "$1", strings.Join(m[1:], ""))
		}
	}
	return ""
}

// shellRefusal is a shell's word that it could not start the command.
var shellRefusal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?mi)^(?:/\S+/)?(?:env|sh|bash|dash|zsh|ksh|busybox)?:? ?(?:(?:line )?\d+: )?.*: (?:(?:command )?not found|no such file or directory|permission denied|cannot execute.*|exec format error|is a directory)\s*$|is not recognized as an internal or external command`)
})

// notStarted tells whether the shell could not even start the command: its exit
// code and its word must agree, and no test may have run.
func notStarted(res Result) bool {
	switch res.ExitCode {
	case 126, 127, 9009:
	default:
		return false
	}
	s := res.Summary
	return !positive(s.Passed) && !positive(s.Failed) && shellRefusal().MatchString(res.Tail)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if len(line) > 200 {
		line = strings.ToValidUTF8(line[:200], "") + "…"
	}
	return line
}
