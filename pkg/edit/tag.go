package edit

import (
	"slices"
	"strings"
)

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

// element reads a call or a file between tags.
func element(t text, i int, c context) *found {
	l := t.trimmed(i)
	if l[0] != '<' {
		return nil
	}
	if m := namingTag().FindStringSubmatch(l); m != nil {
		return naming(m[1], cleanPath(m[2]), i, c)
	}
	m := opening().FindStringSubmatch(l)
	if m == nil {
		return nil
	}
	tag, behind := m[1], m[3]
	name := tagPath(strings.ToLower(tag), m[2])
	took := name == "" && contentTag().MatchString(l) && c.pend.waits() && !c.pend.loose
	switch {
	case took:
		name, c.pend = c.pend.path, heading{}
	case name == "" && !callTag().MatchString(tag):
		return nil
	}
	closing := "</" + tag + ">"
	end := t.find(closing, i, func(j int) bool {
		l := strings.TrimRight(t.lines[j], " \t")
		return name == "" && strings.Contains(l, closing) || j > i && strings.HasSuffix(l, closing)
	})
	switch {
	case end >= 0 && name == "":
		f := c.keep(end + 1)
		f.calls("", strings.Join(t.lines[i:end+1], "\n"), t.number(i))
		return f
	case end >= 0:
		return between(closing, name, behind, t, i, end, c)
	case name == "" || strings.Contains(strings.ToLower(tag), "file") && !strings.HasSuffix(behind, closing):
		// A tag of a call, or one named for files, shows that the text was cut.
		f := c.keep(len(t.lines))
		f.breaksOff(c.complete, name, "the tag at line %d of the reply is not closed: %s is missing", t.number(i),
			closing)
		return f
	case took:
		return c.keep(i + 1)
	}
	return nil
}

// naming reads a tag that holds nothing but a path.
func naming(tag, name string, i int, c context) *found {
	if !looksLikePath(name, true) && (!isToken(name) || tag == "summary" && !c.isFile(name)) {
		return nil
	}
	f := c.keep(i + 1)
	f.pend = heading{named: named{path: name}}
	return f
}

// between reads a file between the tags in two lines; behind is what follows the first tag on its
// line.
func between(closing, name, behind string, t text, i, end int, c context) *found {
	from, stop := i+1, end
	last := strings.TrimSuffix(strings.TrimRight(t.lines[end], " \t"), closing)
	if strings.TrimSpace(behind) != "" {
		from = i
	}
	if strings.TrimSpace(last) != "" {
		stop = end + 1
	}
	body := t.part(from, stop)
	if from == i || stop > end {
		body.lines = slices.Clone(body.lines)
	}
	if from == i {
		body.lines[0] = behind
	}
	if stop > end {
		body.lines[len(body.lines)-1] = last
	}
	f := inside(name, body, c)
	f.next = end + 1
	if stop > end {
		f.rest = &rest{end, last}
	}
	return f
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
func inside(name string, body text, c context) *found {
	if first := body.firstText(0); first < len(body.lines) {
		l := body.trimmed(first)
		opened, isFenced := openFence(body.lines[first])
		switch {
		case changeTag().MatchString(l):
			f := c.keep(0)
			f.last = name
			f.calls(name, strings.Join(body.lines[first:], "\n"), body.number(first))
			return f
		case contentTag().MatchString(l), isSearch(l), isEnvelope(l), isDiffStart(body, first),
			isFenced && (!isProse(name) || opened.closes(body.lastText(len(body.lines)))):
			c.pend = heading{named: named{path: name}}
			c.depth++
			f := c.nested(body, c)
			f.pend = heading{}
			return f
		}
	}
	f := c.keep(0)
	f.whole(name, body.before, body.lines)
	return f
}
