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

// commands reads the commands of a fence.
func (p *parser) commands(from, end, depth int) {
	var made []string // files written by a command, if the fence does nothing else
	only := true
	for i := from; i < end; i++ {
		t := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(p.lines[i]), "$ "))
		m := hereDoc().FindStringSubmatch(t)
		if m == nil {
			p.command(t, i)
			name := ""
			if w := redirect().FindStringSubmatch(t); w != nil && w[1]+w[3] == "" {
				name, _ = unquote(w[5])
			}
			if name = cleanPath(name); name != "" && looksLikePath(name, false) && name[0] != '/' {
				made = append(made, name)
			} else if t != "" && t[0] != '#' && !strings.HasPrefix(t, "mkdir ") {
				only = false
			}
			continue
		}
		only = false
		stop := i + 1
		for word := m[2] + m[3] + m[4]; stop < end; stop++ {
			if l := strings.TrimRight(p.lines[stop], " \t"); l == word || m[1] != "" &&
				strings.TrimLeft(l, "\t") == word {
				break
			}
		}
		p.document(t, m, i, stop, stop < end, depth)
		i = stop
	}
	if only && !exampleWords().MatchString(p.sentenceAbove(from-1)) {
		for _, name := range made {
			p.problem(name, "the fence at line %d of the reply writes %s by a command; booty runs none: "+
				"give its complete content in a fence under its path", from, name)
		}
	}
}

// document reads a here-document from line i to stop.
func (p *parser) document(t string, m []string, i, stop int, closed bool, depth int) {
	head, _, _ := strings.Cut(t, "<<")
	head = strings.TrimSpace(head)
	if strings.HasPrefix(head, "apply_patch") || strings.HasPrefix(head, "patch") ||
		strings.HasPrefix(head, "git apply") {
		p.pend = heading{}
		p.run(i+1, stop, depth+1)
		return
	}
	w := redirect().FindStringSubmatch(strings.Replace(t, m[0], " ", 1))
	body := strings.Join(p.lines[i+1:stop], "\n")
	if w == nil || w[1]+w[3] == "" {
		p.command(head+"\n"+body, i)
		return
	}
	name, _ := unquote(w[5])
	switch name = cleanPath(name); {
	case !looksLikePath(name, true) && !isToken(name), strings.HasPrefix(name, "/dev/"),
		strings.HasPrefix(name, "/tmp/"):
	case !closed:
		p.problem(name, "the here-document at line %d of the reply is not ended: give %s in a fence under "+
			"its path", i+1, name)
	case w[2] == ">>", w[4] != "":
		p.problem(name, "line %d of the reply appends to %s by a command; booty runs none: use a search and "+
			"replace block", i+1, name)
	case m[4] != "" && strings.ContainsAny(body, "$`\\"), m[1] != "":
		p.problem(name, "the here-document at line %d of the reply would be changed by the shell, so the "+
			"content of %s "+
			"is not certain: give it in a fence under its path", i+1, name)
	default:
		p.addWhole(name, i, p.lines[i+1:stop])
	}
}

// command records the files that a command changes.
func (p *parser) command(t string, i int) {
	if strings.HasPrefix(t, "#") || !shellEdit().MatchString(t) {
		return
	}
	for _, w := range strings.FieldsFunc(t,
		func(r rune) bool { return strings.ContainsRune("\"'`(),;=<>| \t\n", r) }) {
		if p.files.there(path.Clean(w)) {
			p.mention(w, p.lines[i], i)
		}
	}
}

// mention records a file that a command or a sentence changes.
func (p *parser) mention(word, text string, i int) {
	name, _ := unquote(word)
	if name = cleanPath(name); looksLikePath(name, false) && name[0] != '/' {
		p.reply.Mentions = append(p.reply.Mentions, Mention{name, strings.TrimSpace(text), i + 1})
	}
}

// proseDelete matches a sentence that deletes or renames a file and at most gives a reason:
// "Delete `a.js`, which nothing uses." Something removed from a file is not a file.
var proseDelete = pattern("(?i)^(?:[-*+•]\\s+|#+\\s+|\\d+[.)]\\s+)*\\**(?:(?:then|also|finally|please|and)\\s+)*(?:delete|remove|rename|move|drop)\\**:?\\s+(?:the\\s+)?(?:file\\s+)?\\**(`[^`]+`|\\S+)(?:\\**\\s+(from|in|inside|within|out of)\\b)?")

func (p *parser) proseDelete(t string, i int) {
	if m := proseDelete().FindStringSubmatch(t); m != nil && m[2] == "" {
		p.mention(strings.TrimRight(m[1], ".,:;"), t, i)
	}
}
