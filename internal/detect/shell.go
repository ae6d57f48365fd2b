package detect

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// line is one simple command of a script.
type line struct {
	// dir is a slash path from the root, "" if unknown.
	dir, text string
	// unread is set if it has values that only CI knows.
	unread bool
	// background is set for a command that is left running.
	background bool
}

// marked replaces a CI expression in a script that is parsed; the number is its index in
// hid.
const marked = "BOOTY_EXPRESSION_"

// script extracts the simple commands of shell scripts. It skips what runs only after a
// failure (||) or reads another command's output.
type script struct {
	dir string
	env map[string]string
	hid []string // the replaced expressions
	out []line
}

// maxLines bounds what is read of one script.
const maxLines = 200

var expressions = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\{\{.*?\}\}|<<\s*(?:parameters|pipeline|matrix)\.[^>]*>>`)
})

// readScript returns the simple commands of a script that runs in dir. env holds the known
// values.
func readScript(text, dir string, env map[string]string) []line {
	s := script{dir: dir, env: map[string]string{}}
	for k, v := range env {
		s.env[k] = v
	}
	text = expressions().ReplaceAllStringFunc(text, func(e string) string {
		s.hid = append(s.hid, e)
		return marked + strconv.Itoa(len(s.hid)) + "_"
	})
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	if f, err := parser.Parse(strings.NewReader(text), ""); err == nil {
		s.stmts(f.Stmts)
		return s.out
	}
	// Another shell's script, or one with an unclosed line: read line by line what can be
	// parsed.
	for l := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		if f, err := parser.Parse(strings.NewReader(l), ""); err == nil {
			s.stmts(f.Stmts)
		}
	}
	return s.out
}

func (s *script) stmts(list []*syntax.Stmt) {
	for _, st := range list {
		s.stmt(st)
	}
}

func (s *script) stmt(st *syntax.Stmt) {
	if st == nil || st.Negated || len(s.out) >= maxLines {
		return
	}
	began := len(s.out)
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		s.call(c)
	case *syntax.BinaryCmd:
		s.stmt(c.X)
		if c.Op == syntax.AndStmt {
			s.stmt(c.Y)
		}
	case *syntax.Subshell:
		dir := s.dir
		s.stmts(c.Stmts)
		s.dir = dir
	case *syntax.Block:
		s.stmts(c.Stmts)
	case *syntax.IfClause:
		for branch := c; branch != nil; branch = branch.Else {
			s.stmts(branch.Then)
		}
	case *syntax.TimeClause:
		s.stmt(c.Stmt)
	case *syntax.ForClause:
		s.stmts(c.Do)
	case *syntax.DeclClause:
		for _, a := range c.Args {
			s.assign(a)
		}
	}
	for i := began; st.Background && i < len(s.out); i++ {
		s.out[i].background = true
	}
}

// lead are words before a command that do not change its purpose.
var lead = map[string]bool{"sudo": true, "exec": true, "command": true, "nice": true, "env": true,
	"xvfb-run": true,
	"-a":       true, "--auto-servernum": true, "travis_retry": true, "nohup": true, "unbuffer": true,
	"catchsegv": true}

func (s *script) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			s.assign(a)
		}
		return
	}
	var words []string
	for _, w := range c.Args {
		text := s.print(w)
		if len(words) == 0 && lead[text] {
			continue
		}
		words = append(words, text)
	}
	if len(words) == 0 || passing[words[0]] {
		return
	}
	switch words[0] {
	case "cd", "pushd":
		s.chdir(words)
		return
	case "popd":
		s.dir = ""
		return
	}
	var front []string
	for _, a := range c.Assigns {
		front = append(front, s.print(a))
	}
	text := strings.Join(append(front, words...), " ")
	s.out = append(s.out, line{dir: s.dir, text: s.shown(text), unread: unknown(text)})
}

// passing are commands that neither test nor prepare.
var passing = map[string]bool{"echo": true, "set": true, "export": true, "exit": true, "ls": true,
	"cat":  true,
	"true": true, ":": true, "[": true, "[[": true, "test": true, "printf": true, "shopt": true,
	"which": true, "source": true, ".": true}

// unknown reports whether a command has something that the shell here would not fill in: a
// CI expression, or a variable. Variables that every shell sets and $( ) are fine.
func unknown(text string) bool {
	if strings.Contains(text, marked) || strings.Contains(text, "$@") || strings.Contains(text, "$*") {
		return true
	}
	for _, m := range variableUse().FindAllString(text, -1) {
		switch strings.Trim(m, "${}") {
		case "HOME", "PWD", "PATH", "USER", "TMPDIR":
		default:
			return true
		}
	}
	return strings.Contains(text, "${") && !variableUse().MatchString(text)
}

// print prints a part of a command, with known values filled in.
func (s *script) print(n syntax.Node) string {
	var b strings.Builder
	if syntax.NewPrinter().Print(&b, n) != nil {
		return marked
	}
	return variableUse().ReplaceAllStringFunc(strings.TrimSpace(b.String()), func(use string) string {
		if v, ok := s.env[strings.Trim(use, "${}")]; ok {
			return v
		}
		return use
	})
}

var variableUse = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)`) })

// shown restores the expressions, for people.
func (s *script) shown(text string) string {
	for i, e := range s.hid {
		text = strings.ReplaceAll(text, marked+strconv.Itoa(i+1)+"_", e)
	}
	return text
}

func (s *script) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	delete(s.env, a.Name.Value)
	if a.Value == nil {
		return
	}
	if v := strings.Trim(s.print(a.Value), `"'`); !strings.ContainsAny(v, "$`\n") && !strings.Contains(v, marked) {
		s.env[a.Name.Value] = v
	}
}

func (s *script) chdir(words []string) {
	to := ""
	if len(words) == 2 {
		to = strings.Trim(words[1], `"'`)
	}
	if s.dir == "" || to == "" || to == "-" || path.IsAbs(to) || strings.ContainsAny(to, "$~*`") || strings.Contains(to, marked) {
		s.dir = ""
		return
	}
	s.dir = inside(path.Join(s.dir, to))
}

// inside returns a path inside the repository, "" for one outside.
func inside(dir string) string {
	if dir = path.Clean(dir); dir == ".." || strings.HasPrefix(dir, "../") || path.IsAbs(dir) {
		return ""
	}
	return dir
}
