package edit

import (
	"path"
	"strings"
)

// Some models write commands instead of edits. Here-documents that write a file or carry a
// patch are read. No command is run; those that change files, and sentences that do, are
// reported unless an edit does the same.

// hereDoc matches the head of a here-document.
var hereDoc = pattern(`<<(-?)\s*(?:'(\w+)'|"(\w+)"|\\?(\w+))`)

// redirect matches a command that writes its input or output to a file.
var redirect = pattern(`^(?:sudo\s+)?(?:(cat)\b.*?(>>?)|(tee)(\s+-a)?|(?:echo|` +
	`printf)\b.*?>>?)\s*("[^"]+"|'[^']+'|[^\s<>|&;-][^\s<>|&;]*)`)

// shellEdit matches a command that changes or moves the files after it, or that gives an
// interpreter a script which writes.
var shellEdit = pattern(`(?s)(?:^|[;&|]\s*)(?:sudo\s+)?(?:git\s+)?(?:rm|mv|sed\s+(?:\S+\s+)*?-i\S*|` +
	`perl\s+-\w*i\S*|cp|truncate|unlink|ed|ex|checkout|restore)\s|` +
	`(?:^|[;&|]\s*)(?:\w+=\S+\s+|sudo\s+|uv\s+run\s+)*(?:python[\d.]*|node|deno|bun|ruby|perl|php)\b.*` +
	`(?:\.write_(?:text|bytes)\(|\bopen\([^)\n]*["'][rwa+bt]*[wa+][rwa+bt]*["']|(?:write|` +
	`append)File(?:Sync)?\(|` +
	`\bFile\.(?:write|open)\b|file_put_contents\(|inplace\s*=|\b(?:os|fs|shutil)\.(?:remove|rename|` +
	`unlink|move)\w*\()|` +
	`(?i:\b(?:(?:Set|Add)-Content|Out-File|(?:Remove|Move|Rename)-Item)\b)|^(?:echo|printf)\b.*>`)

// commands reads the commands of a fence; above is the sentence above it.
func commands(body text, above string, c context) *found {
	f := c.begin()
	var made []string // files written by a command, if the fence does nothing else
	only := true
	for i := 0; i < len(body.lines); i++ {
		l := strings.TrimSpace(strings.TrimPrefix(body.trimmed(i), "$ "))
		m := hereDoc().FindStringSubmatch(l)
		if m == nil {
			f.command(l, body, i, c.files)
			if name := redirected(l); name != "" {
				made = append(made, name)
			} else if l != "" && l[0] != '#' && !strings.HasPrefix(l, "mkdir ") {
				only = false
			}
			continue
		}
		only = false
		stop := i + 1
		for word := m[2] + m[3] + m[4]; stop < len(body.lines); stop++ {
			if l := strings.TrimRight(body.lines[stop], " \t"); l == word || m[1] != "" &&
				strings.TrimLeft(l, "\t") == word {
				break
			}
		}
		f.document(l, m, body, i, stop, c)
		i = stop
	}
	if only && !exampleWords().MatchString(above) {
		for _, name := range made {
			f.problem(name, "the fence at line %d of the reply writes %s by a command; booty runs none: "+
				"give its complete content in a fence under its path", body.before, name)
		}
	}
	return f
}

// redirected returns the file to which a command other than a here-document writes, or "".
func redirected(command string) string {
	m := redirect().FindStringSubmatch(command)
	if m == nil || m[1]+m[3] != "" {
		return ""
	}
	name, _ := unquote(m[5])
	if name = cleanPath(name); name == "" || !looksLikePath(name, false) || name[0] == '/' {
		return ""
	}
	return name
}

// document adds a here-document from line i to stop; m are the parts of its head.
func (f *found) document(command string, m []string, body text, i, stop int, c context) {
	head, _, _ := strings.Cut(command, "<<")
	head = strings.TrimSpace(head)
	inner := body.part(i+1, stop)
	if strings.HasPrefix(head, "apply_patch") || strings.HasPrefix(head, "patch") ||
		strings.HasPrefix(head, "git apply") {
		c.state = f.state
		c.pend = heading{}
		c.depth++
		f.then(c.nested(inner, c))
		return
	}
	w := redirect().FindStringSubmatch(strings.Replace(command, m[0], " ", 1))
	content := strings.Join(inner.lines, "\n")
	if w == nil || w[1]+w[3] == "" {
		f.command(head+"\n"+content, body, i, c.files)
		return
	}
	line := body.number(i)
	name, _ := unquote(w[5])
	switch name = cleanPath(name); {
	case !looksLikePath(name, true) && !isToken(name), strings.HasPrefix(name, "/dev/"),
		strings.HasPrefix(name, "/tmp/"):
	case stop == len(body.lines):
		f.problem(name, "the here-document at line %d of the reply is not ended: give %s in a fence under "+
			"its path", line, name)
	case w[2] == ">>", w[4] != "":
		f.problem(name, "line %d of the reply appends to %s by a command; booty runs none: use a search and "+
			"replace block", line, name)
	case m[4] != "" && strings.ContainsAny(content, "$`\\"), m[1] != "":
		f.problem(name, "the here-document at line %d of the reply would be changed by the shell, so the "+
			"content of %s is not certain: give it in a fence under its path", line, name)
	default:
		f.whole(name, line, inner.lines)
		c.note(f.Edits[len(f.Edits)-1:]) // a patch in the next document may name it
	}
}

// command adds the files that a command at line i changes.
func (f *found) command(command string, body text, i int, files *files) {
	if strings.HasPrefix(command, "#") || !shellEdit().MatchString(command) {
		return
	}
	for _, w := range strings.FieldsFunc(command,
		func(r rune) bool { return strings.ContainsRune("\"'`(),;=<>| \t\n", r) }) {
		if files.there(path.Clean(w)) {
			f.mention(w, body.trimmed(i), body.number(i))
		}
	}
}
