package ci

import (
	"maps"
	"path"
	"strings"
)

// shell reads scripts far enough to name the simple commands in them. It keeps
// the folder and the variables that the script sets.
type shell struct {
	env map[string]string
	dir string // "" where it is not known
}

// steps gives the commands of a script. What stands behind a pipe, or comes
// only after a failure (||), is left out.
func (sh *shell) steps(script string) []Step {
	var out []Step
	var words []string
	skip := false
	type place struct {
		dir string
		env map[string]string
	}
	var outer []place
	flush := func() {
		if len(words) > 0 && !skip {
			out = append(out, sh.command(words)...)
		}
		words = nil
	}
	for _, t := range lex(script) {
		if t.word {
			words = append(words, t.text)
			continue
		}
		started := len(out)
		flush()
		if t.text == "&" && len(out) > started {
			out[len(out)-1].Background = true
		}
		switch t.text {
		case "|", "||":
			skip = true
		case "(":
			outer = append(outer, place{sh.dir, maps.Clone(sh.env)})
		case ")":
			if n := len(outer); n > 0 {
				sh.dir, sh.env = outer[n-1].dir, outer[n-1].env
				outer = outer[:n-1]
			}
		default:
			skip = false
		}
	}
	flush()
	return out
}

// lead are words before a command that do not change what it is.
var lead = map[string]bool{
	"if": true, "then": true, "else": true, "elif": true, "while": true, "until": true, "do": true, "{": true, "}": true,
	"time": true, "sudo": true, "exec": true, "command": true, "nice": true, "env": true, "xvfb-run": true,
	"travis_retry": true,
	"-q":           true, "-a": true, "--auto-servernum": true, "travis_wait": true, "catchsegv": true,
	"unbuffer": true, "nohup": true,
}

// command takes the words of one simple command.
func (sh *shell) command(words []string) []Step {
	for len(words) > 0 && (lead[words[0]] || words[0] == "timeout" && len(words) > 1) {
		if words[0] == "timeout" {
			words = words[1:]
		}
		words = words[1:]
	}
	if len(words) == 0 || words[0] == "!" || ending[words[0]] {
		return nil
	}
	var kept []string
	for _, w := range words {
		w = sh.substitute(w)
		if strings.Trim(w, unknown+`"'`) == "" && strings.Contains(w, unknown) {
			continue // a whole word that is not known
		}
		// What an expression brought may be several words, or none.
		if w = strings.TrimSpace(w); w != "" {
			kept = append(kept, w)
		}
	}
	return sh.simple(kept)
}

// ending are words that end or head a construct and start nothing.
var ending = map[string]bool{"fi": true, "done": true, "esac": true, "for": true, "case": true,
	"function": true, "[": true, "[[": true, "set": true, "shopt": true}

func (sh *shell) simple(words []string) []Step {
	var assigned []string
	for len(words) > 0 && assignment(words[0]) {
		assigned = append(assigned, words[0])
		words = words[1:]
	}
	if len(words) == 0 || words[0] == "export" {
		if len(words) > 0 {
			assigned = words[1:]
		}
		sh.assign(assigned)
		return nil
	}
	text := strings.Join(words, " ")
	switch {
	case words[0] == "cd" || words[0] == "pushd":
		sh.chdir(words)
		return nil
	case words[0] == "popd":
		sh.dir = ""
		return nil
	case (words[0] == "bash" || words[0] == "sh") && len(words) > 2 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c"):
		inner := shell{env: maps.Clone(sh.env), dir: sh.dir}
		return inner.steps(unquote(words[2]))
	case strings.Contains(text, unknown):
		return nil
	}
	for _, a := range assigned {
		if strings.ContainsAny(a, unknown+"$") {
			return []Step{{Dir: sh.dir, Text: text}} // the command matters, not its paths
		}
	}
	return []Step{{Dir: sh.dir, Text: strings.Join(append(assigned, text), " ")}}
}

func (sh *shell) assign(list []string) {
	for _, a := range list {
		if name, v, ok := strings.Cut(a, "="); ok && !strings.Contains(v, "$(") && !strings.Contains(v, unknown) {
			sh.env[name] = unquote(v)
		} else if ok {
			delete(sh.env, name)
		}
	}
}

func (sh *shell) chdir(words []string) {
	if len(words) < 2 || sh.dir == "" {
		sh.dir = ""
		return
	}
	to := unquote(words[1])
	if path.IsAbs(to) || strings.ContainsAny(to, unknown+"$~*`") || to == "-" {
		sh.dir = ""
		return
	}
	if sh.dir = path.Join(sh.dir, to); sh.dir == ".." || strings.HasPrefix(sh.dir, "../") {
		sh.dir = ""
	}
}

func assignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool { return !variableByte(byte(r)) || r > 127 }) < 0
}

func variableByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// substitute puts known variables in place; others become unknown. What is
// run in $( ) or stands in single quotes stays as it is.
func (sh *shell) substitute(word string) string {
	var b strings.Builder
	single, double := false, false
	for i := 0; i < len(word); i++ {
		c := word[i]
		switch {
		case c == '\'' && !double:
			single = !single
		case c == '"' && !single:
			double = !double
		case c == '\\' && !single && i+1 < len(word):
			b.WriteByte(c)
			i++
			c = word[i]
		case c == '$' && !single && i+1 < len(word) && word[i+1] == '(':
			n := parens(word[i+1:]) + 1
			b.WriteString(word[i : i+n])
			i += n - 1
			continue
		case c == '$' && !single && i+1 < len(word):
			v, n := sh.variable(word[i+1:])
			if n > 0 {
				b.WriteString(v)
				i += n
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// variable reads what follows a dollar sign: its value and its length.
func (sh *shell) variable(s string) (string, int) {
	var name string
	n := 0
	if s[0] == '{' {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return unknown, len(s)
		}
		name, n = s[1:end], end+1
		if plain, fallback, ok := strings.Cut(name, ":-"); ok {
			if v := sh.env[plain]; v != "" {
				return v, n
			}
			return fallback, n
		}
	} else {
		for n < len(s) && variableByte(s[n]) {
			n++
		}
		if n == 0 {
			if strings.IndexByte("@*#?$!-", s[0]) >= 0 {
				return unknown, 1
			}
			return "", 0
		}
		name = s[:n]
	}
	if v, ok := sh.env[name]; ok {
		return v, n
	}
	return unknown, n
}

// parens gives the length of what begins with "(" up to its end.
func parens(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
