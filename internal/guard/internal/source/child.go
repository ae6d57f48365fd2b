package source

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

var forking = pattern.Lazy(`\b(pcntl_|v)?fork\b`)

// AfterFork tells a line of a function that forked before.
func AfterFork(t *Text, i int) bool {
	inside := t.Outline.At[i]
	for inside != nil && inside.Sort() != Function {
		inside = inside.Parent
	}
	if inside == nil {
		return false
	}
	for k := inside.Line + 1; k <= i; k++ {
		if forking().MatchString(t.Code[k]) {
			return true
		}
	}
	return false
}

var isChild = pattern.Lazy(`==\s*0\b|\bnot\s+\w+\s*:|\bfork\b.*\bdo\b|\.zero\?`)

var askedWhoIAm = pattern.Lazy(`\bos\.(Getenv|LookupEnv)\(`)

// InChild tells a line of a test that a process runs which the test started: the
// child of a fork, or, in Go, the test program started again with a sign in its
// environment. (Under go test itself os.Exit(0) is a failure.)
func InChild(t *Text, i int) bool {
	inside := t.Outline.At[i]
	for b := inside; b != nil && b.Sort() != Function; b = b.Parent {
		if isChild().MatchString(t.Code[b.Line]) && AfterFork(t, i) {
			return true
		}
	}
	for inside != nil && (inside.Sort() != Function || inside.Parent != nil) {
		inside = inside.Parent
	}
	if t.Source.Lang.Name != "go" || !strings.Contains(t.Code[i], "os.Exit(0)") || inside == nil ||
		!strings.HasPrefix(inside.Header, "func Test") ||
		strings.HasPrefix(inside.Header, "func TestMain") {
		return false
	}
	for k := inside.Line; k <= i; k++ {
		if askedWhoIAm().MatchString(t.Code[k]) {
			return true
		}
	}
	return false
}

var (
	forkOfPHP  = pattern.Lazy(`(\$\w+)\s*=\s*\\?pcntl_fork\(\s*\)\s*;`)
	childOfPHP = pattern.Lazy(`^(?:\}\s*else)?\s*if\s*\(\s*(?:!\s*(\$\w+)|(\$\w+)\s*===?\s*0|0\s*===?\s*(\$\w+))\s*\)`)
	ownFork    = pattern.Lazy(`\bfunction\s+&?\s*pcntl_fork\b|\buse\s+function\b.*\bpcntl_fork\b`)
)

// InForkOfPHP tells a line that only the child of a fork runs: the number of that process was
// just asked for, by what bears the name of nothing else in the file.
func InForkOfPHP(t *Text, i int) bool {
	if ownFork().MatchString(strings.Join(t.Code, "")) {
		return false
	}
	for b := t.Outline.At[i]; b != nil && b.Sort() != Function; b = b.Parent {
		m := childOfPHP().FindStringSubmatch(b.Header)
		if m == nil {
			continue
		}
		name := m[1] + m[2] + m[3]
		for k := b.Line - 1; k >= 0; k-- {
			if t.Blank(k) || !strings.Contains(t.Code[k], name) {
				continue
			}
			set := forkOfPHP().FindStringSubmatch(t.Code[k])
			if set == nil && strings.HasPrefix(strings.TrimSpace(t.Code[k]), "if") {
				continue // it is asked whether that failed
			}
			return set != nil && set[1] == name
		}
	}
	return false
}
