package locate

import "strings"

// importScan collects what a file imports, line by line, in the words of its
// language; resolve.go finds the files.
type importScan struct {
	lang  lang
	block bool // within Go's import ( … ) or Python's from x import ( … )
	from  string
	seen  map[string]bool
	out   []string
}

// maxImports bounds what is kept of one file.
const maxImports = 200

func (s *importScan) add(name string) {
	name = strings.TrimSpace(name)
	if name == "" || len(name) > 200 || len(s.out) >= maxImports || s.seen[name] {
		return
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	name = strings.Clone(name) // not to keep the whole file in memory
	s.seen[name] = true
	s.out = append(s.out, name)
}

func (s *importScan) line(line string) {
	t := strings.TrimSpace(line)
	if t == "" {
		return
	}
	switch s.lang {
	case golang:
		s.goLine(t)
	case python:
		s.pythonLine(t)
	case script:
		s.scriptLine(t)
	case rust:
		s.rustLine(t)
	case jvm:
		if rest, ok := strings.CutPrefix(t, "import "); ok {
			s.add(strings.TrimRight(strings.TrimPrefix(rest, "static "), "; "))
		}
	case csharp:
		if rest, ok := strings.CutPrefix(t, "using "); ok && !strings.HasPrefix(rest, "(") {
			s.add(strings.TrimRight(strings.TrimPrefix(rest, "static "), "; "))
		}
	case ruby:
		for _, k := range []string{"require_relative", "require", "load", "autoload"} {
			if rest, ok := strings.CutPrefix(t, k); ok {
				if k == "require_relative" {
					s.add("./" + quoted(rest))
				} else {
					s.add(quoted(rest))
				}
				return
			}
		}
	case php:
		s.phpLine(t)
	case clang:
		if t[0] == '#' {
			if rest, ok := strings.CutPrefix(strings.TrimLeft(t[1:], " \t"), "include"); ok {
				s.add(strings.Trim(strings.TrimSpace(rest), "\"<>"))
			} else if rest, ok := strings.CutPrefix(t, "#import"); ok {
				s.add(strings.Trim(strings.TrimSpace(rest), "\"<>"))
			}
		}
	case elixir:
		for _, k := range []string{"alias ", "import ", "use ", "require "} {
			if rest, ok := strings.CutPrefix(t, k); ok {
				s.add(identPath(rest))
				return
			}
		}
	case shell:
		for _, k := range []string{"source ", ". ", "load "} {
			if rest, ok := strings.CutPrefix(t, k); ok {
				rest = strings.Trim(strings.TrimSpace(rest), "\"'")
				s.add(rest[strings.LastIndexAny(rest, "$}")+1:])
				return
			}
		}
	case lua, dart, swift:
		if strings.Contains(t, "require") || strings.HasPrefix(t, "import ") {
			s.add(quoted(t))
		}
	}
}

func (s *importScan) goLine(t string) {
	switch {
	case s.block && t[0] == ')':
		s.block = false
	case s.block:
		s.add(quoted(t))
	case strings.HasPrefix(t, "import ("):
		s.block = true
	case strings.HasPrefix(t, "import "):
		s.add(quoted(t))
	}
}

func (s *importScan) pythonLine(t string) {
	if s.block {
		names, _, ends := strings.Cut(t, ")")
		s.names(names)
		s.block = !ends
		return
	}
	if rest, ok := strings.CutPrefix(t, "import "); ok {
		for _, m := range strings.Split(rest, ",") {
			m, _, _ = strings.Cut(strings.TrimSpace(m), " ")
			s.add(m)
		}
		return
	}
	rest, ok := strings.CutPrefix(t, "from ")
	if !ok {
		return
	}
	module, names, ok := strings.Cut(rest, " import")
	if !ok {
		return
	}
	s.from = strings.TrimSpace(module)
	s.add(s.from)
	names = strings.TrimSpace(names)
	if inner, open := strings.CutPrefix(names, "("); open {
		names, _, open = strings.Cut(inner, ")")
		s.block = !open
	}
	s.names(names)
}

// names adds the imported names too: any may be a module.
func (s *importScan) names(list string) {
	list, _, _ = strings.Cut(list, "#")
	for _, n := range strings.Split(list, ",") {
		n, _, _ = strings.Cut(strings.TrimSpace(n), " ")
		if n != "" && n != "*" && n != "\\" {
			s.add(strings.TrimSuffix(s.from, ".") + "." + n)
		}
	}
}

func (s *importScan) scriptLine(t string) {
	if !strings.ContainsAny(t, "'\"`") {
		return
	}
	for _, k := range []string{"from ", "from'", "from\"", "require(", "import(", "import '", "import \"", "mock(", "importActual(", "requireActual("} {
		for rest := t; ; {
			i := strings.Index(rest, k)
			if i < 0 {
				break
			}
			rest = rest[i+len(k):]
			arg := strings.TrimLeft(rest, " (")
			if strings.HasSuffix(k, "'") || strings.HasSuffix(k, "\"") {
				arg = k[len(k)-1:] + arg
			}
			if arg != "" && strings.IndexByte("'\"`", arg[0]) >= 0 {
				s.add(quoted(arg))
			}
		}
	}
}

func (s *importScan) rustLine(t string) {
	for _, p := range []string{"pub ", "pub(crate) ", "pub(super) "} {
		t = strings.TrimPrefix(t, p)
	}
	if rest, ok := strings.CutPrefix(t, "mod "); ok && strings.HasSuffix(t, ";") {
		s.add("mod " + firstIdent(rest))
	}
	if rest, ok := strings.CutPrefix(t, "use "); ok {
		rest = strings.TrimRight(rest, "; ")
		head, group, ok := strings.Cut(rest, "{")
		if !ok {
			s.add(strings.TrimSuffix(rest, "::*"))
			return
		}
		for _, n := range strings.Split(strings.TrimRight(group, "}"), ",") {
			n, _, _ = strings.Cut(strings.TrimSpace(n), " ")
			s.add(head + strings.TrimRight(n, "{}"))
		}
	}
}

func (s *importScan) phpLine(t string) {
	if rest, ok := strings.CutPrefix(t, "use "); ok {
		rest, _, _ = strings.Cut(strings.TrimRight(rest, "; "), " as ")
		s.add(strings.TrimPrefix(strings.TrimPrefix(rest, "function "), "const "))
		return
	}
	if strings.HasPrefix(t, "require") || strings.HasPrefix(t, "include") {
		s.add("./" + strings.TrimLeft(quoted(t), "/"))
	}
}

// quoted is the first quoted text of s.
func quoted(s string) string {
	i := strings.IndexAny(s, "'\"`")
	if i < 0 {
		return ""
	}
	j := strings.IndexByte(s[i+1:], s[i])
	if j < 0 {
		return ""
	}
	return s[i+1 : i+1+j]
}
