package guard

import (
	"fmt"
	"path"
	"strings"
	"sync"
)

// Ends of the process that come when a file is loaded, or that report success out
// of library code.

var (
	exitCall = map[string]func() *pattern{
		"python": lazy(`(^|[^\w.])(sys\.exit|exit|quit)\(|\braise\s+SystemExit`),
		"js":     lazy(`\bprocess\.exit\(|\bprocess\.exitCode\s*=\s*0|\b(Deno|Bun)\.exit\(`),
		"go":     lazy(`\b(os|syscall)\.Exit\(|\bruntime\.Goexit\(`),
		"rust":   lazy(`\bprocess::(exit|abort)\(|\blibc::_?exit\(`),
		"ruby":   lazy(`(^|[^\w.:])(exit|abort)\b($|\s+(0|true)|\(|\s+(if|unless))`),
		"php":    lazy(`\b(exit|die)\b\s*[(;]`),
		"java":   lazy(`\bSystem\.exit\(`),
		"kotlin": lazy(`\bexitProcess\(|\bSystem\.exit\(`),
		"csharp": lazy(`\bEnvironment\.Exit\(`),
		"c":      lazy(`(^|[^\w.>])(std::)?exit\s*\(\s*(0|EXIT_SUCCESS)\s*\)`),
		"swift":  lazy(`(^|[^\w.])exit\(\s*(0|EXIT_SUCCESS)`),
		"elixir": lazy(`\bSystem\.(halt|stop)\(|exit\(:(normal|shutdown)|:erlang\.halt|:init\.stop`),
		"shell":  lazy(`^\s*exit(\s+0)?\s*;?\s*$`),
	}
	success   = lazy(`\(\s*(0|EXIT_SUCCESS|true)?\s*\)|exitCode\s*=\s*0|^\s*exit\s*($|;|0|true)`)
	mainGuard = lazy(`__name__|__main__|require\.main|import\.meta\.(main|url|filename)|process\.argv\[1\]|\$0\s*==|__FILE__\s*==|\bfunc\s+main\b|\bfn\s+main\b|\bmain\s*\(`)
	starter   = lazy(`(?m)^#!|\bfunc main\(|\bfn main\(|\bint main\s*\(|\bvoid main\s*\(|\bstatic (async )?(void|int|Task(<int>)?) Main\s*\(|\bfun main\(|@main\b|require\.main\s*===|\bprocess\.argv\b|\byargs\b|\bcommander\b|__main__|\bargparse\b|\bOptionParser\b|\bclick\b|PHP_SAPI|\$argv\b|\bARGV\b|import\.meta\.main`)
	startDirs = map[string]bool{"bin": true, "cmd": true, "cli": true, "scripts": true, "script": true, "tools": true, "examples": true, "exe": true, "libexec": true, "console": true, "commands": true,
		"tasks": true, "public": true, "web": true, "www": true, "htdocs": true, "daemon": true}
)

// exitsOnLoad counts ends of the process that come when a file is loaded, or that
// report success out of library code, which some runners take for a pass.
func exitsOnLoad(p string, t *text) (n int, why string) {
	re := exitCall[t.source.lang.name]
	if re == nil {
		return 0, ""
	}
	program := sync.OnceValue(func() bool { return isProgramFile(p, t) })
	for i, line := range t.code {
		line = strings.TrimRight(line, "\r\n")
		if !re().MatchString(line) || isDefinition(line) || failure().MatchString(line) {
			continue
		}
		inFunction, guarded, onLoad, stored := false, false, false, false
		for b := t.outline.at[i]; b != nil; b = b.parent {
			header := strings.TrimSpace(t.live[b.line])
			guarded = guarded || mainGuard().MatchString(header)
			stored = stored || t.source.lang.name == "go" && isStored(t, b)
			onLoad = onLoad || t.source.lang.name == "go" && !stored && initHeader().MatchString(header) || header == "static {" || header == "init {"
			inFunction = inFunction || b.sort() == function && !regexpHolder(b)
		}
		if strings.Contains(line, "(() =>") || strings.Contains(line, "function ()") {
			onLoad = true
		}
		var bad bool
		switch t.source.lang.name {
		case "go":
			bad = onLoad || !inFunction
		case "python":
			bad = !inFunction && !guarded && !mainGuard().MatchString(line) && path.Base(p) != "__main__.py" && !isStarted(p, t)
		case "js", "ruby":
			bad = (!inFunction && !guarded || success().MatchString(line)) && !program()
		case "php":
			bad = (!inFunction && !guarded || success().MatchString(line)) && !program() && !endsPage(t, i)
		case "shell":
			bad = t.outline.at[i] == nil && !isStarted(p, t) && declaresShell().MatchString(t.source.code())
		default:
			bad = onLoad || !guarded && !program() && success().MatchString(line)
		}
		if bad {
			n++
			why = fmt.Sprintf("The line %q %s.", shorten(t.lines[i]), stops)
		}
	}
	return n, why
}

// failure is an end that no runner takes for a pass.
var failure = lazy(`(?i)exit(process)?!?\s*\(?\s*(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\s*\)?\s*(;|$|\}|#|//|if\b|unless\b)`)

var (
	storedFunc = lazy(`(=|:|\breturn)\s*func\s*\([^)]*\)[^{]*$`)
	calledNow  = lazy(`^\s*\}\s*\(`)
)

// isStored tells a function literal of Go that is kept for later, not called where
// it stands.
func isStored(t *text, b *block) bool {
	if b.mark != "{" || !storedFunc().MatchString(b.header) {
		return false
	}
	last := b.line
	for last+1 < len(t.code) && within(t.outline.at[last+1], b) {
		last++
	}
	return last > b.line && !calledNow().MatchString(t.code[last])
}

// declaresShell tells a shell file that is sourced for its functions.
var declaresShell = lazy(`(?m)^\s*(function\s+[\w-]+|[\w-]+\s*\(\s*\))\s*\{`)

var initHeader = lazy(`^func\s+init\s*\(|^var\b|^\w+\s*=\s*func`)

func isDefinition(line string) bool {
	m := declared().FindStringSubmatch(line)
	if strings.HasPrefix(strings.TrimSpace(line), "alias") {
		return true
	}
	return m != nil && (m[1] == "exit" || m[1] == "quit" || m[1] == "die" || m[1] == "abort")
}

// regexpHolder tells blocks that run at once although they look like functions.
func regexpHolder(b *block) bool {
	return strings.HasSuffix(b.header, "(() =>") || strings.HasSuffix(b.header, "(async () =>") || strings.HasSuffix(b.header, "(function ()")
}

// isProgramFile tells a file that is started rather than loaded.
func isProgramFile(p string, t *text) bool {
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if startDirs[path.Base(dir)] {
			return true
		}
	}
	switch name := strings.TrimSuffix(path.Base(p), path.Ext(p)); strings.ToLower(name) {
	case "main", "cli", "program", "__main__", "app", "server", "artisan", "manage":
		return true
	}
	return starter().MatchString(t.source.text)
}
