package edit

import (
	"path"
	"strings"
)

// Some models write commands where edits are wanted. Here-documents that write
// a file or carry a patch are read. No command is run; those that change files,
// and sentences that do, are reported unless an edit does the same.

// hereDoc is the head of a here-document, redirect the file that a command writes to.
var hereDoc = pattern(`<<(-?)\s*(?:'(\w+)'|"(\w+)"|\\?(\w+))`)

var redirect = pattern(`(>>?)\s*("[^"]+"|'[^']+'|[^\s<>|&;]+)`)

// shellEdit is a command that changes or moves the files behind it, or one that
// gives an interpreter a script which writes.
var shellEdit = pattern(`(?s)(?:^|[;&|]\s*)(?:sudo\s+)?(?:git\s+)?(?:rm|mv|sed\s+(?:\S+\s+)*?-i\S*|perl\s+-\w*i\S*|cp|truncate|unlink|ed|ex|checkout|restore)\s|` +
	`(?:^|[;&|]\s*)(?:\w+=\S+\s+|sudo\s+|uv\s+run\s+)*(?:python[\d.]*|node|deno|bun|ruby|perl|php)\b.*(?:\.write_(?:text|bytes)\(|\bopen\([^)\n]*["'][rwa+bt]*[wa+][rwa+bt]*["']|(?:write|append)File(?:Sync)?\(|` +
	`\bFile\.(?:write|open)\b|file_put_contents\(|inplace\s*=|\b(?:os|fs|shutil)\.(?:remove|rename|unlink|move)\w*\()|` +
	`(?i:\b(?:(?:Set|Add)-Content|Out-File|(?:Remove|Move|Rename)-Item)\b)|^(?:echo|printf)\b.*>`)

// commands reads the commands of a fence that opens at line fence.
func (p *parser) commands(from, end, depth, fence int) {
	for i := from; i < end; {
		t := prompted(p.lines[i])
		m := hereDoc().FindStringSubmatch(t)
		if m == nil {
			p.command(t, i)
			i++
			continue
		}
		stop := i + 1
		for word := m[2] + m[3] + m[4]; stop < end; stop++ {
			if l := strings.TrimRight(p.lines[stop], " \t"); l == word || m[1] != "" && strings.TrimLeft(l, "\t") == word {
				break
			}
		}
		p.document(t, m, i, stop, stop < end, depth)
		i = stop + 1
	}
	p.writes(from, end, fence)
}

// prompted is a command without its prompt.
func prompted(l string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l), "$ "))
}

// opensHere reports whether a fence begins with a here-document that is read.
func (p *parser) opensHere(i, end int) bool {
	for ; i < end; i++ {
		t := prompted(p.lines[i])
		if hereDoc().MatchString(t) {
			switch strings.Fields(t)[0] {
			case "cat", "tee", "apply_patch", "sudo":
				return true
			}
			return false
		}
		if t != "" && !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "mkdir ") && !strings.HasPrefix(t, "cd ") {
			return false
		}
	}
	return false
}

// document reads a here-document that stands from line i to stop.
func (p *parser) document(t string, m []string, i, stop int, closed bool, depth int) {
	head := strings.TrimSpace(t[:strings.Index(t, "<<")])
	if strings.HasPrefix(head, "apply_patch") || strings.HasPrefix(head, "patch") || strings.HasPrefix(head, "git") && strings.Contains(head, "apply") {
		p.pend = nil
		p.run(i+1, stop, depth+1)
		return
	}
	name, appends := writtenTo(strings.Replace(t, m[0], " ", 1))
	if name == "" {
		p.command(head+"\n"+strings.Join(p.lines[i+1:stop], "\n"), i)
		return
	}
	body := append([]string(nil), p.lines[i+1:stop]...)
	for k := range body {
		if m[1] != "" {
			body[k] = strings.TrimLeft(body[k], "\t")
		}
	}
	switch {
	case !closed:
		p.problem(name, "the here-document at line %d of the reply is not ended: give %s in a fence under its path", i+1, name)
	case appends:
		p.problem(name, "line %d of the reply appends to %s by a command; booty runs none: use a search and replace block", i+1, name)
	case m[4] != "" && strings.ContainsAny(strings.Join(body, "\n"), "$`\\"):
		p.problem(name, "the here-document at line %d of the reply would be expanded by the shell, so the content of %s is not certain: give it in a fence under its path", i+1, name)
	default:
		p.addWhole(Edit{Op: Write, Path: name, Line: i + 1}, body)
	}
}

// writes is a command that writes what it reads to a file.
var writes = pattern(`^(?:sudo\s+)?(?:cat\b.*?(>>?)|tee(\s+-a)?)\s*("[^"]+"|'[^']+'|[^\s<>|&;-][^\s<>|&;]*)`)

// writtenTo is the file that cat or tee writes, and whether it appends.
func writtenTo(t string) (name string, appends bool) {
	m := writes().FindStringSubmatch(t)
	if m == nil {
		return "", false
	}
	name, _ = unquote(m[3])
	if name = cleanPath(name); !looksLikePath(name, true) && !isToken(name) || strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/tmp/") {
		return "", false
	}
	return name, m[1] == ">>" || m[2] != ""
}

// command notes which files a command changes.
func (p *parser) command(t string, i int) {
	if strings.HasPrefix(t, "#") || !shellEdit().MatchString(t) {
		return
	}
	for _, w := range strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune("\"'`(),;=<>| \t\n", r) }) {
		if p.files.there(path.Clean(w)) {
			p.mention(w, p.lines[i], i)
		}
	}
}

// printedTo is the file that echo or printf writes.
func printedTo(command string) string {
	first, _, _ := strings.Cut(command, " ")
	m := redirect().FindStringSubmatch(command)
	if m == nil || first != "echo" && first != "printf" {
		return ""
	}
	return m[2]
}

// writes reports a fence that does nothing but write new files. One that uses
// them too, or stands under a sentence that says so, shows how something is used.
func (p *parser) writes(from, end, fence int) {
	var names []string
	for i := from; i < end; i++ {
		t := prompted(p.lines[i])
		name, _ := unquote(printedTo(t))
		switch name = cleanPath(name); {
		case t == "" || strings.HasPrefix(t, "#") || strings.HasPrefix(t, "mkdir "):
		case name == "" || !looksLikePath(name, false) || strings.ContainsAny(name, "*?$") || strings.HasPrefix(name, "/"):
			return
		default:
			names = append(names, name)
		}
	}
	if exampleWords().MatchString(p.sentenceAbove(fence)) {
		return
	}
	for _, name := range names {
		p.problem(name, "the fence at line %d of the reply writes %s by a command; booty runs none: give its complete content in a fence under its path", fence+1, name)
	}
}

// mention notes a file that a command or a sentence changes.
func (p *parser) mention(word, text string, i int) {
	name, _ := unquote(word)
	name = cleanPath(name)
	if !looksLikePath(name, false) || strings.ContainsAny(name, "*?$") || strings.HasPrefix(name, "/") {
		return
	}
	p.reply.Mentions = append(p.reply.Mentions, Mention{name, strings.TrimSpace(text), i + 1})
}

// proseDelete is a sentence that deletes or renames a file and says no more than
// why: "Delete `a.js`, which nothing uses."
var proseDelete = pattern("^(?:[-*+•]\\s+|#+\\s+|\\d+[.)]\\s+)*\\**(?:(?:[Tt]hen|[Aa]lso|[Ff]inally|[Pp]lease|and)\\s+)*(?:[Dd]elete|[Rr]emove|[Rr]ename|[Mm]ove|[Dd]rop)\\**:?\\s+(?:the\\s+)?(?:file\\s+)?\\**(`[^`]+`|\\S+)(.*)$")

// withinFile begins what follows a thing that goes out of a file.
var withinFile = pattern(`^\**\s+(?:from|in|inside|within|out of)\b`)

func (p *parser) proseDelete(t string, i int) {
	if m := proseDelete().FindStringSubmatch(t); m != nil && !withinFile().MatchString(m[2]) {
		p.mention(strings.TrimRight(m[1], ".,:;"), t, i)
	}
}
