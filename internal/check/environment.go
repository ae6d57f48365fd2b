package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	// beside, where not nil, must match another of the last lines: the first
	// alone may be the code's fault as well.
	beside *regexp.Regexp
	// not, where not nil, must not match the line.
	not *regexp.Regexp
}

var causes = sync.OnceValue(func() []cause {
	row := func(pattern, sentence string, loadOnly bool) cause {
		return cause{re: regexp.MustCompile(`(?i)` + pattern), sentence: sentence, loadOnly: loadOnly}
	}
	// pip says the same of a version that nobody ever made.
	noNetwork := regexp.MustCompile(`(?i)^WARNING: Retrying \(Retry\(.*after connection broken by|Failed to establish a new connection|Max retries exceeded with url`)
	pip := row(`^ERROR: (?:could not find a version that satisfies the requirement|no matching distribution found for) (\S+)`, "the Python package $1 could not be downloaded", true)
	pip.beside = noNetwork
	// What does not answer on this machine may be the code's own server.
	elsewhere := row(`^curl: \((?:7|28)\) (?:failed to connect to|connection timed out) (\S+)`, "$1 does not answer", true)
	elsewhere.not = regexp.MustCompile(`(?i) (?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?)\b`)
	return []cause{
		row(`^booty: sandbox: (.+)`, "the sandbox could not be set up: $1", true),
		row(`\bno space left on device|\bENOSPC\b|not enough space on the disk|disk quota exceeded|\bEDQUOT\b`, "the disk is full", false),
		row(`address already in use|\bEADDRINUSE\b|only one usage of each socket address`, "a port that the tests need is in use by another program", false),
		row(`too many open files|\bEMFILE\b|\bENFILE\b`, "the limit of open files is reached", false),
		row(`cannot allocate memory|\bENOMEM\b|javascript heap out of memory|java\.lang\.OutOfMemoryError`, "the memory is used up", true),
		row(`cannot connect to the docker daemon|could not find a valid docker environment|error during connect: .*docker`, "the tests need Docker, and it does not answer", false),
		row(`(?:connection refused|ECONNREFUSED|could not connect|can't connect).{0,80}\b(?::|port )(5432|3306|6379|27017|5672|9092|9200|11211|1433)\b|\b(?:127\.0\.0\.1|localhost|::1\]?):(5432|3306|6379|27017|5672|9092|9200|11211|1433)\b.{0,80}(?:connection refused|ECONNREFUSED)|\bport (5432|3306|6379|27017|5672|9092|9200|11211|1433) failed: connection refused`, "a service that the tests need (port $1) does not answer", false),
		row(`can't connect to (?:local )?(MySQL|MariaDB) server`, "a service that the tests need ($1) does not answer", false),
		row(`^curl: \((?:5|6)\) `, "the network does not answer", true),
		elsewhere,
		row(`could not resolve host|temporary failure in name resolution|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|dial tcp: lookup \S+.*(?:no such host|server misbehaving|i/o timeout)|name or service not known|network is unreachable|\bENETUNREACH\b`, "the network does not answer", false),
		row(`^npm (?:err!|error) (?:code (?:ETIMEDOUT|ECONNRESET|ENOTFOUND|E5\d\d)|network )|could not transfer artifact|failed to download from|spurious network error|unable to update registry|toolchain not available`, "a package could not be downloaded", true),
		pip,
		row(`^(?:error: )?(?:the )?JAVA_HOME (?:environment variable )?is (?:not (?:defined correctly|set)|set to an invalid directory)`, "Java is not installed, or JAVA_HOME is wrong", true),
		row("^(?:error: )?linker [`'\"]([\\w.+-]+)[`'\"] not found$", "the linker $1 is not installed", true),
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
	var said []string
	load, brief := true, true // no test is named; nothing but plain errors
	for _, f := range res.Summary.Failures {
		if !mayBeEnvironment(f.Kind) {
			return "" // a compiler's or linter's complaint
		}
		load = load && f.Test == "" && f.Kind != "test"
		brief = brief && f.Kind == "error"
		said = append(said, f.Message)
	}
	switch {
	case len(said) > 0 && load && brief: // a tool's error, and what its callers add to it
		return r.firstCause(said)
	case len(said) > 0:
		return r.commonCause(said, load)
	}
	if res.Signal == syscall.SIGKILL.String() || res.ExitCode == 128+int(syscall.SIGKILL) {
		return "the system killed it, most likely for want of memory"
	}
	lines := strings.Split(strings.TrimRight(res.Tail, "\n"), "\n")
	lines = lines[max(0, len(lines)-lastWords):]
	for _, line := range lines {
		if said := r.causeOf(strings.TrimSpace(line), !positive(res.Summary.Failed), lines...); said != "" {
			return said
		}
	}
	if res.NotStarted {
		return fmt.Sprintf("the command cannot be started: %s", firstLine(res.Tail))
	}
	return ""
}

// mayBeEnvironment tells whether the environment can bring about such a failure.
func mayBeEnvironment(kind string) bool {
	switch kind {
	case "", "test", "error", "load", "crash":
		return true
	}
	return false
}

// firstCause gives the cause that the first message with one tells.
func (r *Runner) firstCause(messages []string) string {
	for _, m := range messages {
		if said := r.causeOf(m, true, messages...); said != "" {
			return said
		}
	}
	return ""
}

// commonCause gives the cause that all messages share; load as in causeOf.
func (r *Runner) commonCause(messages []string, load bool) string {
	first := ""
	for _, m := range messages {
		said := r.causeOf(m, load)
		if said == "" || first != "" && said != first {
			return ""
		}
		first = said
	}
	return first
}

// causeOf gives the sentence for a text; load says that no test was recognised,
// around is what stands near the text.
func (r *Runner) causeOf(text string, load bool, around ...string) string {
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
		if c.loadOnly && !load || c.beside != nil && !slices.ContainsFunc(around, c.beside.MatchString) {
			continue
		}
		if m := c.re.FindStringSubmatch(text); m != nil && (c.not == nil || !c.not.MatchString(text)) {
			return strings.ReplaceAll(c.sentence, "$1", strings.Join(m[1:], ""))
		}
	}
	return r.notInstalled(text)
}

// missingPackage is node's word for a package that is not there; a path of the
// project's own begins with a dot or a slash.
var missingPackage = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`Cannot find (?:module|package) '((?:@[\w.-]+/)?\w[\w.-]*)`)
})

// notInstalled says so where a package is missing that package.json asks for,
// and nothing at all is installed.
func (r *Runner) notInstalled(text string) string {
	m := missingPackage().FindStringSubmatch(text)
	if m == nil || r.c.Dir == "" {
		return ""
	}
	for _, there := range []string{"node_modules", ".pnp.cjs"} {
		if _, err := os.Stat(filepath.Join(r.c.Dir, there)); err == nil {
			return ""
		}
	}
	data, err := os.ReadFile(filepath.Join(r.c.Dir, "package.json"))
	if err != nil {
		return ""
	}
	var wanted struct{ Dependencies, DevDependencies map[string]any }
	if json.Unmarshal(data, &wanted) != nil || wanted.Dependencies[m[1]] == nil && wanted.DevDependencies[m[1]] == nil {
		return ""
	}
	return "the packages that package.json asks for are not installed: " + m[1] + " is missing, and there is no node_modules"
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
