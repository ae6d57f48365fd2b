package edit

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"
)

// Some models write commands where edits are wanted. Here-documents that write
// a file or carry a patch are read; other commands that change files are told,
// since none is run.

// hereDoc is the head of a here-document.
var hereDoc = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<<(-?)\s*(?:'(\w+)'|"(\w+)"|\\?(\w+))`)
})

// redirect is the file that a command writes to.
var redirect = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(>>?)\s*("[^"]+"|'[^']+'|[^\s<>|&;]+)`)
})

// changing is a command that changes or moves the files behind it.
var changing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:sudo\s+)?(?:git\s+)?(rm|mv|sed|perl|cp|truncate|unlink|ed|ex|checkout|restore)\s+(.*)$`)
})

// deed is a command that changes a file.
type deed struct {
	path, text string
	line       int
}

func (d deed) problem() Problem {
	return Problem{Path: d.path, Reason: fmt.Sprintf("line %d of the reply changes %s by a command or a sentence, which nobody carries out (%s): give the edit itself, or leave the line out; to delete a file write DELETE path, to rename one RENAME old -> new", d.line, d.path, clip(strings.TrimRight(d.text, ".")))}
}

// commands reads the commands of a fence.
func (p *parser) commands(from, end, depth int) {
	for i := from; i < end; {
		t := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(p.lines[i]), "$ "))
		m := hereDoc().FindStringSubmatch(t)
		if m == nil {
			p.command(t, i)
			i++
			continue
		}
		stop := p.hereEnd(m, i+1, end)
		p.document(t, m, i, min(stop, end), stop < end, depth)
		i = stop + 1
	}
}

// opensHere tells whether a fence begins with a here-document that is read.
func (p *parser) opensHere(i, end int) bool {
	for ; i < end; i++ {
		t := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(p.lines[i]), "$ "))
		if hereDoc().MatchString(t) {
			w := strings.Fields(t)[0]
			return w == "cat" || w == "tee" || w == "apply_patch" || w == "sudo"
		}
		if t != "" && !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "mkdir ") && !strings.HasPrefix(t, "cd ") {
			return false
		}
	}
	return false
}

// hereEnd is the line that ends a here-document, or end.
func (p *parser) hereEnd(m []string, i, end int) int {
	word := m[2] + m[3] + m[4]
	for ; i < end; i++ {
		if l := strings.TrimRight(p.lines[i], " \t"); l == word || m[1] != "" && strings.TrimLeft(l, "\t") == word {
			return i
		}
	}
	return end
}

// document reads a here-document that stands from line i to stop.
func (p *parser) document(t string, m []string, i, stop int, closed bool, depth int) {
	head := t[:strings.Index(t, "<<")]
	if w := strings.Fields(head); len(w) > 0 &&
		(w[0] == "apply_patch" || w[0] == "patch" || w[0] == "git" && strings.Contains(head, "apply")) {
		p.pend = nil
		p.run(i+1, stop, depth+1)
		return
	}
	name, how := writtenTo(strings.Replace(t, m[0], " ", 1))
	if name == "" {
		p.command(strings.TrimSpace(head), i)
		p.script(strings.TrimSpace(head), strings.Join(p.lines[i+1:stop], "\n"), i)
		return
	}
	body := p.lines[i+1 : stop]
	if m[1] != "" {
		body = make([]string, 0, stop-i)
		for _, l := range p.lines[i+1 : stop] {
			body = append(body, strings.TrimLeft(l, "\t"))
		}
	}
	expands := m[4] != "" && strings.ContainsAny(strings.Join(body, "\n"), "$`\\")
	switch {
	case !closed:
		p.problem(name, "the here-document at line %d of the reply is not ended: give %s in a fence under its path", i+1, name)
	case how == ">>":
		p.problem(name, "line %d of the reply appends to %s by a command, which nobody carries out: use a search and replace block", i+1, name)
	case expands:
		p.problem(name, "the here-document at line %d of the reply would be expanded by the shell, so the content of %s is not certain: give it in a fence under its path", i+1, name)
	default:
		p.addWhole(Edit{Kind: Whole, Path: name, Line: i + 1}, body, name)
	}
}

// script notes the files that a script names which an interpreter is given, if
// it writes; that of any other command changes nothing that is known.
func (p *parser) script(head, body string, i int) {
	if !interpreter().MatchString(head) || !writing().MatchString(body) {
		return
	}
	for _, w := range strings.FieldsFunc(body, func(r rune) bool { return strings.ContainsRune("\"'`(),;= \t\n", r) }) {
		p.deed(w, strings.TrimSpace(p.lines[i]), i, false)
	}
}

var (
	interpreter = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\w+=\S+\s+|sudo\s+|uv\s+run\s+)*(?:python[\d.]*|node|deno|bun|ruby|perl|php)\b|` +
			`(?i)\b(?:(?:Set|Add)-Content|Out-File|(?:Remove|Move|Rename)-Item)\b`)
	})
	// writing is what scripts call to change a file.
	writing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\.write_(?:text|bytes)\(|\bopen\([^)\n]*["'][rwa+bt]*[wa+][rwa+bt]*["']|(?:write|append)File(?:Sync)?\(|` +
			`(?i:\b(?:Set|Add)-Content\b|\bOut-File\b|\b(?:Remove|Move|Rename)-Item\b)|` +
			`\bFile\.(?:write|open)\b|file_put_contents\(|inplace\s*=|\b(?:os|fs|shutil)\.(?:remove|rename|unlink|move)\w*\(`)
	})
)

// writtenTo is the file that cat or tee writes, and whether it appends.
func writtenTo(t string) (name, how string) {
	words := strings.Fields(t)
	if len(words) > 0 && words[0] == "sudo" {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", ""
	}
	switch words[0] {
	case "cat":
		if m := redirect().FindStringSubmatch(t); m != nil {
			name, how = m[2], m[1]
		}
	case "tee":
		how = ">"
		for _, w := range words[1:] {
			if w == "-a" {
				how = ">>"
			} else if name == "" && !strings.ContainsAny(w, "<>-|") {
				name = w
			} else if name == "" && looksLikePath(w, false) {
				name = w
			}
		}
	}
	name, _ = unquote(name)
	if name = cleanPath(name); !looksLikePath(name, true) && !isToken(name) || strings.HasPrefix(name, "/dev/") ||
		strings.HasPrefix(name, "/tmp/") {
		return "", ""
	}
	return name, how
}

// command notes which files a single command changes.
func (p *parser) command(t string, i int) {
	if strings.HasPrefix(t, "#") {
		return
	}
	p.script(t, t, i)
	for _, part := range strings.FieldsFunc(t, func(r rune) bool { return r == ';' || r == '&' || r == '|' }) {
		part = strings.TrimSpace(part)
		first, _, _ := strings.Cut(part, " ")
		if m := changing().FindStringSubmatch(part); m != nil {
			if (m[1] == "sed" || m[1] == "perl") && !strings.Contains(m[2], "-i") && !strings.Contains(m[2], "-pi") {
				continue
			}
			for _, w := range strings.Fields(m[2]) {
				p.deed(w, t, i, false)
			}
		} else if m := redirect().FindStringSubmatch(part); m != nil && (first == "echo" || first == "printf") {
			p.deed(m[2], t, i, true)
		}
	}
}

// deed notes a file that something changes; a new one only where made is true.
func (p *parser) deed(word, text string, i int, made bool) {
	name, _ := unquote(word)
	name = cleanPath(name)
	if !looksLikePath(name, false) || strings.ContainsAny(name, "*?$") || strings.HasPrefix(name, "/") {
		return
	}
	if made {
		p.problem(name, "line %d of the reply writes %s by a command, which nobody carries out: give its complete content in a fence under its path", i+1, name)
		return
	}
	p.reply.deeds = append(p.reply.deeds, deed{name, text, i + 1})
}

// undone are the deeds that no edit carries out, of files that are there.
func (t *tree) undone(list []deed, touched map[string][]Edit) []Problem {
	var out []Problem
	told := make(map[string]bool)
	for _, d := range list {
		if _, edited := touched[d.path]; edited || told[d.path] {
			continue
		}
		if n, ok := t.now[d.path]; ok && n == nil {
			continue // it went
		}
		if info, err := t.fsys.Stat(d.path); err == nil && info.Mode()&fs.ModeType == 0 {
			out = append(out, d.problem())
			told[d.path] = true
		}
	}
	return out
}
