package edit

import "strings"

// Some models put files between tags: <file path="x.go">, or a tag with the path and one
// with the content. The names of the tags matter little.

// namingTag holds nothing but a path.
var namingTag = pattern(`^<(path|file|filename|file_name|filepath|file_path|` +
	`summary)>\s*([^<>]+?)\s*</(path|file|filename|file_name|filepath|file_path|summary)>$`)

// contentTag opens the content of a file that was named before, changeTag the first half of
// a block.
var (
	contentTag = pattern(`^<(content|contents|file_content|file_contents|new_content|code|file_text)>$`)
	changeTag  = pattern(`(?i)^<(?:search>|old|find>|original>)`)
)

// opening matches the tag that opens a call, several calls, or a file: its name,
// attributes, and the rest of its line.
var opening = pattern(`^<([A-Za-z][\w.:-]*)((?:=[^\s>]*)?(?:\s[^>]*)?)>(.*)$`)

// callTag matches the name of a tag of a call.
var callTag = pattern(`^(?:\w+:)?(?:tool_calls?|function_calls?|tool_use|invoke|function|` +
	`str_replace(?:_editor)?|search_replace|edit_file|apply_diff|write_file|create_file)$`)

// element reads a call or a file between tags; ok is false if there is none.
func (p *parser) element(t string, i, to, depth int) (next int, ok bool) {
	if t[0] != '<' {
		return i, false
	}
	if m := namingTag().FindStringSubmatch(t); m != nil {
		name := cleanPath(m[2])
		ok := looksLikePath(name, true) || isToken(name) && (m[1] != "summary" || p.isFile(name))
		if ok {
			p.pend = heading{named: named{path: name}}
		}
		return i + 1, ok
	}
	m := opening().FindStringSubmatch(t)
	if m == nil {
		return i, false
	}
	tag, rest := m[1], m[3]
	name := tagPath(strings.ToLower(tag), m[2])
	switch {
	case name != "":
	case contentTag().MatchString(t) && p.pend.waits() && !p.pend.loose:
		name = p.take().path
	case !callTag().MatchString(tag):
		return i, false
	}
	closing := "</" + tag + ">"
	end := i
	for ; end < to && !p.gone(closing, to); end++ {
		if l := strings.TrimRight(p.lines[end], " \t"); name == "" && strings.Contains(l, closing) ||
			end > i && strings.HasSuffix(l, closing) {
			break
		}
	}
	switch {
	case end == to || p.gone(closing, to):
		p.markNotFound(closing, to)
		if name != "" && (!strings.Contains(strings.ToLower(tag), "file") ||
			strings.HasSuffix(rest, closing)) {
			return i, false
		}
		// A tag of a call, or one named for files, shows that the text was cut.
		p.cut(name, "the tag at line %d of the reply is not closed: %s is missing", i+1, closing)
		return to, true
	case name == "":
		f := p.keep(end + 1)
		f.calls("", strings.Join(p.lines[i:end+1], "\n"), i+1)
		p.use(f)
		return end + 1, true
	}
	from, stop := i+1, end
	if last := strings.TrimSuffix(strings.TrimRight(p.lines[end], " \t"),
		closing); strings.TrimSpace(last) != "" {
		p.lines[end], stop = last, end+1
	}
	if strings.TrimSpace(rest) != "" {
		p.lines[i], from = rest, i
	}
	p.inside(name, from, stop, depth)
	return end + 1, true
}

// tagPath returns the path among a tag's attributes.
func tagPath(tag, attributes string) string {
	if !strings.Contains(tag, "file") {
		attributes = tagTitle().ReplaceAllString(attributes, "")
	}
	return cleanPath(infoAttribute(attributes))
}

var tagTitle = pattern(`\b(?:name|title)\s*=`)

// inside reads the lines between two tags.
func (p *parser) inside(name string, from, stop, depth int) {
	if first := p.firstText(from, stop); first < stop {
		t := strings.TrimSpace(p.lines[first])
		f, fence := openFence(p.lines[first])
		switch {
		case changeTag().MatchString(t):
			f := p.keep(stop)
			f.last = name
			f.calls(name, strings.Join(p.lines[first:stop], "\n"), first+1)
			p.use(f)
			return
		case contentTag().MatchString(t), isSearch(t), isEnvelope(t), isDiffStart(p.within(stop), first),
			fence && (!isProse(name) || f.closes(p.lines[p.lastText(first, stop)])):
			p.pend = heading{named: named{path: name}}
			p.run(first, stop, depth+1)
			p.pend = heading{}
			return
		}
	}
	p.addWhole(name, from-1, p.lines[min(from, stop):stop])
}
