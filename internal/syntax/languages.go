package syntax

import (
	"bytes"
	"path"
	"strings"
)

// language is a row of the table: how an interpreter is asked.
type language struct {
	// command parses FILE and runs nothing of it.
	command string
	// forms are the file name endings to try one after the other, "" its own: a
	// text that parses in one of them is well.
	forms []string
	// pattern finds the complaint about the syntax, group 1, among other words;
	// without it the failure is something else, such as a missing library.
	pattern string
	// line finds the number of the line, where the complaint lacks it.
	line string
	// runs says that parts of the file run all the same.
	runs bool
}

// python and typeScript parse by a few words of their own: the flags that the
// interpreters have write files, or want the whole project. What is newer than the Python
// that is there is nothing for it to judge.
const (
	python = `python3 -c 'import ast, re, sys
text = open(sys.argv[1], "rb").read()
try:
    ast.parse(text, "f")
except (SyntaxError, ValueError) as e:
    newer = (((3, 12), rb"(?m)^\s*(?:type\s+\w+.*=|(?:async\s+)?(?:def|class)\s+\w+\s*\[)"),
             ((3, 11), rb"(?m)^\s*except\s*\*"), ((3, 10), rb"(?m)^\s*match\s.*:\s*$"))
    if any(sys.version_info < v and re.search(words, text) for v, words in newer): sys.exit(0)
    print("syntax: line %s: %s" % (getattr(e, "lineno", None) or 1, getattr(e, "msg", None) or e)); sys.exit(1)' FILE`
	typeScript = `node -e 'const ts = require(process.cwd() + "/node_modules/typescript"), f = process.argv[1];
const r = ts.transpileModule(require("fs").readFileSync(f, "utf8"), {fileName: f, reportDiagnostics: true, compilerOptions: {jsx: 1, allowJs: true, target: 99, module: 99}});
const d = (r.diagnostics || []).find(d => d.category === 1 && d.code < 2000 && d.file);
if (d) { console.log("syntax: line " + (d.file.getLineAndCharacterOfPosition(d.start).line + 1) + ": " + ts.flattenDiagnosticMessageText(d.messageText, " ")); process.exit(1) }' FILE`
)

var languages = map[string]*language{
	".py":  {command: python, pattern: `^syntax: (.*)`},
	".pyi": {command: python, pattern: `^syntax: (.*)`},
	".js": {command: "node --check FILE", forms: []string{".cjs", ".mjs"}, pattern: `^(SyntaxError: .*)`,
		line: `(?m)^FILE:(\d+)$`},
	".cjs":  {command: "node --check FILE", pattern: `^(SyntaxError: .*)`, line: `(?m)^FILE:(\d+)$`},
	".mjs":  {command: "node --check FILE", pattern: `^(SyntaxError: .*)`, line: `(?m)FILE:(\d+)$`},
	".jsx":  {command: typeScript, pattern: `^syntax: (.*)`},
	".ts":   {command: typeScript, pattern: `^syntax: (.*)`},
	".tsx":  {command: typeScript, pattern: `^syntax: (.*)`},
	".mts":  {command: typeScript, pattern: `^syntax: (.*)`},
	".cts":  {command: typeScript, pattern: `^syntax: (.*)`},
	".rb":   {command: "ruby -c FILE", pattern: `(?i)(syntax errors?\b.*)`, line: `FILE:(\d+)`},
	".rake": {command: "ruby -c FILE", pattern: `(?i)(syntax errors?\b.*)`, line: `FILE:(\d+)`},
	".php":  {command: "php -l FILE", pattern: `((?:Parse|Fatal) error: .*)`},
	".pl":   {command: "perl -Ilib -c FILE", pattern: `(syntax error at .*)`, runs: true},
	".pm":   {command: "perl -Ilib -c FILE", pattern: `(syntax error at .*)`, runs: true},
	".bash": {command: "bash -n FILE", pattern: `((?:line \d+: )?.*(?:syntax error|unexpected EOF|unexpected end of file).*)`},
	"bash":  {command: "bash -n FILE", pattern: `((?:line \d+: )?.*(?:syntax error|unexpected EOF|unexpected end of file).*)`},
	"sh":    {command: "sh -n FILE", pattern: `(.*(?i:syntax error|unexpected EOF|unterminated).*)`},
}

// languageOf finds the row of a file, nil where there is none.
func languageOf(name string, text []byte) *language {
	ext := strings.ToLower(path.Ext(name))
	if ext == ".sh" || ext == "" {
		return languages[shell(text, ext == ".sh")]
	}
	return languages[ext]
}

// shell names the shell of a script by its first line; one without that is taken
// for bash's, which parses what sh does.
func shell(text []byte, script bool) string {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	words := strings.Fields(strings.TrimPrefix(string(first), "#!"))
	if !bytes.HasPrefix(first, []byte("#!")) || len(words) == 0 {
		if script {
			return "bash"
		}
		return ""
	}
	if path.Base(words[0]) == "env" && len(words) > 1 {
		words = words[1:]
	}
	switch base := path.Base(words[0]); base {
	case "bash", "sh":
		return base
	}
	return ""
}
