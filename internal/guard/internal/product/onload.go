package product

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// Ends of the process that come when a file is loaded, or that report success out
// of library code.

var (
	exitCall = map[string]func() *pattern.Pattern{
		"python": pattern.Lazy(`(^|[^\w.])(sys\.exit|exit|quit)\(|\braise\s+SystemExit`),
		"js":     pattern.Lazy(`\bprocess\.exit\(|\bprocess\.exitCode\s*=\s*0|\b(Deno|Bun)\.exit\(`),
		"go":     pattern.Lazy(`\b(os|syscall)\.Exit\(|\bruntime\.Goexit\(`),
		"rust":   pattern.Lazy(`\bprocess::(exit|abort)\(|\blibc::_?exit\(`),
		"ruby":   pattern.Lazy(`(^|[^\w.:])(exit|abort)\b($|\s+(0|true)|\(|\s+(if|unless))`),
		"php":    pattern.Lazy(`\b(exit|die)\b\s*[(;]`),
		"java":   pattern.Lazy(`\bSystem\.exit\(`),
		"kotlin": pattern.Lazy(`\bexitProcess\(|\bSystem\.exit\(`),
		"csharp": pattern.Lazy(`\bEnvironment\.Exit\(`),
		"c":      pattern.Lazy(`(^|[^\w.>])(std::)?exit\s*\(\s*(0|EXIT_SUCCESS)\s*\)`),
		"swift":  pattern.Lazy(`(^|[^\w.])exit\(\s*(0|EXIT_SUCCESS)`),
		"elixir": pattern.Lazy(`\bSystem\.(halt|stop)\(|exit\(:(normal|shutdown)|:erlang\.halt|` +
			`:init\.stop`),
		"shell": pattern.Lazy(`^\s*exit(\s+0)?\s*;?\s*$`),
	}
	success   = pattern.Lazy(`(^|[^>:])\(\s*(0|EXIT_SUCCESS|true)\s*\)|\b(?i:_?exit|exitProcess|die|halt|quit|stop|abort|SystemExit|Goexit)!?\s*\(\s*\)|exitCode\s*=\s*0|^\s*exit\s*($|;|0|true)`)
	mainGuard = pattern.Lazy(`__name__|__main__|require\.main|import\.meta\.(main|url|filename)|` +
		`process\.argv\[1\]|\$0\s*==|__FILE__\s*==|\bfunc\s+main\b|\bfn\s+main\b|\bmain\s*\(`)
	starter = pattern.Lazy(`(?m)^#!|\bfunc main\(|\bfn main\(|\bint main\s*\(|\bvoid main\s*\(|` +
		`\bstatic (async )?(void|int|Task(<int>)?) Main\s*\(|\bfun main\(|@main\b|` +
		`require\.main\s*===|\bprocess\.argv\b|\byargs\b|\bcommander\b|__main__|\bargparse\b|` +
		`\bOptionParser\b|\bclick\b|PHP_SAPI|\$argv\b|\bARGV\b|import\.meta\.main`)
	startDirs = map[string]bool{"bin": true, "cmd": true, "cli": true, "scripts": true, "script": true,
		"tools": true, "examples": true, "exe": true, "libexec": true, "console": true, "commands": true,
		"tasks": true, "public": true, "web": true, "www": true, "htdocs": true, "daemon": true}
)

// exitsOnLoad counts ends of the process that come when a file is loaded, or that
// report success out of library code, which some runners take for a pass.
func exitsOnLoad(p string, t *source.Text) (n int, why string) {
	re := exitCall[t.Source.Lang.Name]
	if re == nil {
		return 0, ""
	}
	program := sync.OnceValue(func() bool { return isProgramFile(p, t) })
	for i, line := range t.Code {
		line = strings.TrimRight(line, "\r\n")
		if !re().MatchString(line) || isDefinition(line) || failure().MatchString(line) {
			continue
		}
		if placeOfExit(t, i).ends(p, t, i, program) {
			n++
			why = fmt.Sprintf("The line %q %s.", diff.Shorten(t.Lines[i]), stops)
		}
	}
	return n, why
}

// exitPlace says when the code around an exit runs.
type exitPlace struct {
	inFunction bool
	guarded    bool // only where the file is started as a program
	onLoad     bool
}

func placeOfExit(t *source.Text, i int) exitPlace {
	var at exitPlace
	stored, isGo := false, t.Source.Lang.Name == "go"
	for b := t.Outline.At[i]; b != nil; b = b.Parent {
		header := strings.TrimSpace(t.Live[b.Line])
		at.guarded = at.guarded || mainGuard().MatchString(header)
		stored = stored || isGo && isStored(t, b)
		at.onLoad = at.onLoad || isGo && !stored && initHeader().MatchString(header) ||
			header == "static {" || header == "init {"
		at.inFunction = at.inFunction || b.Sort() == source.Function && !regexpHolder(b)
	}
	line := t.Code[i]
	at.onLoad = at.onLoad || strings.Contains(line, "(() =>") || strings.Contains(line, "function ()")
	return at
}

// ends tells whether an exit there ends the process of the tests.
func (at exitPlace) ends(p string, t *source.Text, i int, program func() bool) bool {
	line := strings.TrimRight(t.Code[i], "\r\n")
	whenLoaded := !at.inFunction && !at.guarded
	switch t.Source.Lang.Name {
	case "go":
		return at.onLoad || !at.inFunction
	case "python":
		return whenLoaded && !mainGuard().MatchString(line) && path.Base(p) != "__main__.py" &&
			!isStarted(p, t)
	case "js", "ruby":
		return (whenLoaded || success().MatchString(line)) && !program()
	case "php":
		return (whenLoaded || success().MatchString(line)) && !program() && !endsPage(t, i) && !source.InForkOfPHP(t, i)
	case "shell":
		return t.Outline.At[i] == nil && !isStarted(p, t) && declaresShell().MatchString(t.Source.Code())
	}
	return at.onLoad || !at.guarded && !program() && success().MatchString(line)
}

// failure is an end that no runner takes for a pass.
var failure = pattern.Lazy(`(?i)exit(process)?!?\s*\(?\s*(?:[1-9]\d?|1\d\d|2[0-4]\d|` +
	`25[0-5])\s*\)?\s*(;|$|\}|#|//|if\b|unless\b)`)

var (
	storedFunc = pattern.Lazy(`(=|:|\breturn)\s*func\s*\([^)]*\)[^{]*$`)
	calledNow  = pattern.Lazy(`^\s*\}\s*\(`)
)

// isStored tells a function literal of Go that is kept for later, not called where
// it stands.
func isStored(t *source.Text, b *source.Block) bool {
	if b.Mark != "{" || !storedFunc().MatchString(b.Header) {
		return false
	}
	last := b.Line
	for last+1 < len(t.Code) && source.Within(t.Outline.At[last+1], b) {
		last++
	}
	return last > b.Line && !calledNow().MatchString(t.Code[last])
}

// declaresShell tells a shell file that is sourced for its functions.
var declaresShell = pattern.Lazy(`(?m)^\s*(function\s+[\w-]+|[\w-]+\s*\(\s*\))\s*\{`)

var initHeader = pattern.Lazy(`^func\s+init\s*\(|^var\b|^\w+\s*=\s*func`)

func isDefinition(line string) bool {
	m := source.Declared().FindStringSubmatch(line)
	if strings.HasPrefix(strings.TrimSpace(line), "alias") {
		return true
	}
	return m != nil && (m[1] == "exit" || m[1] == "quit" || m[1] == "die" || m[1] == "abort")
}

// regexpHolder tells blocks that run at once although they look like functions.
func regexpHolder(b *source.Block) bool {
	return strings.HasSuffix(b.Header, "(() =>") || strings.HasSuffix(b.Header, "(async () =>") ||
		strings.HasSuffix(b.Header, "(function ()")
}

// isProgramFile tells a file that is started rather than loaded.
func isProgramFile(p string, t *source.Text) bool {
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if startDirs[path.Base(dir)] {
			return true
		}
	}
	switch name := strings.TrimSuffix(path.Base(p), path.Ext(p)); strings.ToLower(name) {
	case "main", "cli", "program", "__main__", "app", "server", "artisan", "manage":
		return true
	}
	return strings.HasPrefix(t.Source.Text, "#!") || starter().MatchString(strings.Join(t.Live, ""))
}
