package edit

import (
	"encoding/json"
	"slices"
	"strings"
)

// Models that were taught to call tools do so where there are none, and some put
// files between tags. Both are read by their arguments, whatever the tool or the
// tag is called and however they are written: a path with content is a file, a
// path with an old and a new text is a block, a patch is a patch. A call that has
// none of these is reported.

// opening is the tag that opens a call, or several, or a file: its name, attributes,
// and what follows on its line.
var opening = pattern(`^<([A-Za-z][\w.:-]*)((?:=[^\s>]*)?(?:\s[^>]*)?)>(.*)$`)

// callTag is the name of a tag of a call.
var callTag = pattern(`^(?:\w+:)?(?:tool_calls?|function_calls?|tool_use|invoke|function|str_replace(?:_editor)?|search_replace|edit_file|apply_diff|write_file|create_file)$`)

// callTokens open a call between tokens of a template.
var callTokens = pattern(`^(?:<\|tool_calls?_?\w*\|>|<｜tool[^｜]*｜>|\[TOOL_CALLS\]|<\|python_tag\|>|functions\.\w+:\d+\s*(?:[<{]|$))`)

const argumentTags = `path|file_path|filepath|file|filename|target_file|content|contents|old_str|old_string|old|search|find|original|new_str|new_string|new|replace|replacement|updated|diff|patch|command`

// argument is one argument of a call, in the ways that models write them.
var argument = pattern(`(?s)<parameter(?:=|\s+name=)"?([\w-]+)"?\s*>(.*?)</parameter>|<arg_key>\s*([\w-]+)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>|` +
	`<(` + argumentTags + `)>(.*?)</(?:` + argumentTags + `)>`)

var callName = pattern(`<(?:\w+:)?(?:function=|invoke\s+name=)"?([\w.-]+)`)

// arguments are those of a call, by the name of what they are.
type arguments struct {
	tool, path, content, old, new, patch string
	has                                  map[string]bool
	all                                  bool // every place is meant
}

// argumentNames fold the names that tools give to the same thing.
var argumentNames = map[string]string{
	"path": "path", "file": "path", "filepath": "path", "filename": "path", "targetfile": "path",
	"absolutepath": "path", "relativepath": "path",
	"content": "content", "contents": "content", "filetext": "content", "newcontent": "content", "code": "content",
	"text": "content", "newfilecontent": "content",
	"old": "old", "oldstr": "old", "oldstring": "old", "oldtext": "old", "search": "old", "find": "old",
	"original": "old", "before": "old", "oldcode": "old",
	"new": "new", "newstr": "new", "newstring": "new", "newtext": "new", "replace": "new", "replacement": "new",
	"updated": "new", "after": "new", "newcode": "new",
	"patch": "patch", "diff": "patch", "input": "patch", "patchtext": "patch",
	"command": "tool", "tool": "tool", "name": "tool",
}

func (a *arguments) set(key, value string) {
	name := argumentNames[strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))]
	switch name {
	case "":
		return
	case "path":
		a.path = cleanPath(strings.TrimSpace(value))
	case "content":
		a.content = value
	case "old":
		a.old = value
	case "new":
		a.new = value
	case "patch":
		a.patch = value
	case "tool":
		a.tool += " " + strings.ToLower(value)
	}
	if a.has == nil {
		a.has = make(map[string]bool)
	}
	a.has[name] = true
}

// call reports a call between tokens, whose arguments are anything.
func (p *parser) call(t string, i, to int) (next int, ok bool) {
	if strings.IndexByte("<[f", t[0]) < 0 || !callTokens().MatchString(t) {
		return i, false
	}
	p.problem("", noTools, i+1)
	for j := i; j < to && !p.gone("call", to); j++ {
		if l := strings.ToLower(p.lines[j]); strings.Contains(l, "tool_calls_section_end") || strings.Contains(l, "tool▁calls▁end") {
			return j + 1, true
		}
	}
	p.soughtInVain("call", to)
	return i + 1, true
}

const noTools = "line %d of the reply is a tool call, but there are no tools here and nothing of it is carried out: write the edit itself, the path on a line of its own and under it a fence with the complete content or with search and replace blocks"

// splitCalls divides a text at the ends of its calls.
func splitCalls(text string) []string {
	for _, end := range []string{"</invoke>", "</function>", "</tool_call>"} {
		if strings.Contains(text, end) {
			parts := strings.Split(text, end)
			return slices.DeleteFunc(parts, func(s string) bool {
				return !strings.ContainsAny(s, "{[") && !strings.Contains(s, "<parameter") && !argument().MatchString(s)
			})
		}
	}
	return []string{text}
}

// readCall reads the arguments of one call: named ones between tags, or JSON.
func readCall(text string) []arguments {
	var a arguments
	if m := callName().FindStringSubmatch(text); m != nil {
		a.tool = m[1]
	}
	for _, m := range argument().FindAllStringSubmatch(text, -1) {
		a.set(m[1]+m[3]+m[5], unwrapped(m[2]+m[4]+m[6]))
	}
	if a.has != nil {
		return []arguments{a}
	}
	start := strings.IndexAny(text, "{[")
	if start < 0 {
		return nil
	}
	var v any
	if err := json.NewDecoder(strings.NewReader(text[start:])).Decode(&v); err != nil {
		return nil
	}
	return jsonCalls(v, arguments{})
}

// unwrapped is a value between tags without the line break behind the first one.
func unwrapped(s string) string {
	return uncdata(strings.TrimPrefix(strings.TrimPrefix(s, "\r"), "\n"))
}

// jsonCalls finds the edits in a JSON value. What stands above them holds for
// all: {"path": …, "edits": […]}.
func jsonCalls(v any, above arguments) []arguments {
	var out []arguments
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			out = append(out, jsonCalls(x, above)...)
		}
	case map[string]any:
		a := arguments{tool: above.tool}
		if above.path != "" {
			a.set("path", above.path)
		}
		for k, x := range v {
			if s, ok := x.(string); ok {
				a.set(k, s)
			} else if yes, ok := x.(bool); ok && yes && strings.Contains(strings.ToLower(k), "all") {
				a.all = true
			}
		}
		for _, key := range []string{"arguments", "parameters", "args", "input", "edits", "changes", "files", "replacements", "function"} {
			inner := v[key]
			if s, ok := inner.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
				_ = json.Unmarshal([]byte(s), &inner) // else it is text
			}
			switch inner.(type) {
			case map[string]any, []any:
				out = append(out, jsonCalls(inner, a)...)
			}
		}
		if out == nil && a.isEdit() {
			out = []arguments{a}
		}
	}
	return out
}

// isEdit tells arguments of an edit from others.
func (a arguments) isEdit() bool {
	return a.has["path"] && looksLikePath(a.path, true) && (a.has["content"] || a.has["old"] && a.has["new"]) ||
		a.has["patch"] && isEnvelope(strings.TrimSpace(firstLine(a.patch)))
}

// carryOut adds the edit that a call at line i stands for.
func (p *parser) carryOut(a arguments, i int) {
	e := Edit{Op: Write, Path: a.path, Line: i + 1}
	switch {
	case a.path == "", strings.Contains(a.tool, "append"), strings.Contains(a.tool, "insert"), a.all, a.has["patch"]:
		p.problem(a.path, noTools, i+1)
	case a.has["old"] && a.has["new"] && a.old != "":
		e.Op, e.Blocks = Modify, []Block{{Search: ended(a.old), Replace: ended(a.new), Line: i + 1}}
		p.last = a.path
		p.add(e)
	case a.has["content"], a.has["old"] && a.has["new"]:
		p.addWhole(e, texts(ended(a.content+a.new)))
	case strings.Contains(a.tool, "delete"), strings.Contains(a.tool, "remove"):
		e.Op = Delete
		p.add(e)
	default:
		p.problem(a.path, noTools, i+1)
	}
}

// ended is a text that ends with a whole line.
func ended(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// jsonEdits reads a fence of JSON that holds edits. Other JSON is an example, and
// so may be a file given as {"path", "content"}.
func (p *parser) jsonEdits(f fenceLine, i, first, end int) bool {
	if f.lang != "json" && f.lang != "" && f.lang != "jsonc" || first >= end || !strings.ContainsAny(strings.TrimSpace(p.lines[first])[:1], "{[") {
		return false
	}
	var v any
	if json.Unmarshal([]byte(cutTokens(strings.TrimSpace(strings.Join(p.lines[first:end], "\n")))), &v) != nil {
		return false
	}
	found := jsonCalls(v, arguments{})
	if one, ok := v.(map[string]any); ok && len(found) == 1 && !found[0].has["old"] && one["content"] != nil {
		return false
	}
	for _, a := range found {
		p.carryOut(a, i)
	}
	return len(found) > 0
}

// namingTag holds nothing but a path.
var namingTag = pattern(`^<(path|file|filename|file_name|filepath|file_path|summary)>\s*([^<>]+?)\s*</(path|file|filename|file_name|filepath|file_path|summary)>$`)

// contentTag opens the content of a file that was named before.
var contentTag = pattern(`^<(content|contents|file_content|file_contents|new_content|code|file_text)>$`)

// element reads a call or a file between tags; ok is false where there is none.
func (p *parser) element(t string, i, to, depth int) (next int, ok bool) {
	if t[0] != '<' {
		return i, false
	}
	if m := namingTag().FindStringSubmatch(t); m != nil {
		name := cleanPath(m[2])
		if !looksLikePath(name, true) && !(isToken(name) && (m[1] != "summary" || p.isFile(name))) {
			return i, false
		}
		p.pend = &heading{named: named{path: name, marked: true}, line: i}
		return i + 1, true
	}
	m := opening().FindStringSubmatch(t)
	if m == nil {
		return i, false
	}
	tag, rest := m[1], m[3]
	name := tagPath(strings.ToLower(tag), m[2])
	switch {
	case name != "":
	case contentTag().MatchString(t) && p.pend != nil && !p.pend.loose:
		name = p.take().path
	case !callTag().MatchString(tag):
		return i, false
	}
	closing := "</" + tag + ">"
	end := i
	for end < to && !p.gone(closing, to) && !(strings.Contains(p.lines[end], closing) && (name == "" || end > i && strings.HasSuffix(strings.TrimRight(p.lines[end], " \t"), closing))) {
		end++
	}
	switch {
	case end == to || p.gone(closing, to):
		p.soughtInVain(closing, to)
		if name != "" && (!strings.Contains(strings.ToLower(tag), "file") || strings.HasSuffix(rest, closing)) {
			return i, false
		}
		// A tag of a call, or named for files, shows that the text was cut.
		p.cut(name, "the tag at line %d of the reply is not closed: %s is missing", i+1, closing)
		return to, true
	case name == "":
		p.calls(strings.Join(p.lines[i:end+1], "\n"), i)
		return end + 1, true
	}
	from, stop := i+1, end
	if last := strings.TrimSuffix(strings.TrimRight(p.lines[end], " \t"), closing); strings.TrimSpace(last) != "" {
		p.lines[end], stop = last, end+1
	}
	if strings.TrimSpace(rest) != "" {
		p.lines[i], from = rest, i
	}
	p.inside(name, from, stop, depth)
	return end + 1, true
}

// calls carries out what stands between the tags of one or more calls.
func (p *parser) calls(text string, i int) {
	found := 0
	for _, part := range splitCalls(text) {
		for _, a := range readCall(part) {
			p.carryOut(a, i)
			found++
		}
	}
	if found == 0 {
		p.problem("", noTools, i+1)
	}
}

// tagPath is the path among a tag's attributes.
func tagPath(tag, attributes string) string {
	if !strings.Contains(tag, "file") {
		attributes = tagTitle().ReplaceAllString(attributes, "")
	}
	return cleanPath(infoAttribute(attributes))
}

var tagTitle = pattern(`\b(?:name|title)\s*=`)

// inside reads the lines between two tags.
func (p *parser) inside(name string, from, stop, depth int) {
	from = min(from, stop)
	if first := p.firstText(from, stop); first < stop {
		t := strings.TrimSpace(p.lines[first])
		f, fence := openFence(p.lines[first])
		switch {
		case isSearchTag().MatchString(t):
			if !p.taggedBlocks(name, first, stop) {
				p.problem(name, "the change of %s at line %d of the reply stands between tags: write it with <<<<<<< SEARCH, ======= and >>>>>>> REPLACE", name, first+1)
			}
			return
		case contentTag().MatchString(t), isSearch(p.lines[first]), isEnvelope(t), isDiffStart(p.lines, first, stop),
			fence && (!isProse(name) || f.closes(p.lines[p.lastText(first, stop)])):
			p.pend = &heading{named: named{path: name, marked: true}, line: from}
			p.run(first, stop, depth+1)
			p.pend = nil
			return
		}
	}
	p.addWhole(Edit{Op: Write, Path: name, Line: from}, p.lines[from:stop])
}

// taggedBlocks reads pairs of tags for the two halves of a block.
func (p *parser) taggedBlocks(name string, from, stop int) bool {
	e := Edit{Op: Modify, Path: name, Line: from + 1}
	var a arguments
	for _, m := range argument().FindAllStringSubmatch(strings.Join(p.lines[from:stop], "\n"), -1) {
		a.set(m[1]+m[3]+m[5], unwrapped(m[2]+m[4]+m[6]))
		if a.has["old"] && a.has["new"] {
			e.Blocks = append(e.Blocks, Block{Search: ended(a.old), Replace: ended(a.new), Line: from + 1 + len(e.Blocks)})
			a = arguments{}
		}
	}
	if len(e.Blocks) == 0 || a.has != nil {
		return false
	}
	p.last = name
	p.add(e)
	return true
}

// isSearchTag opens the first half of a block.
var isSearchTag = pattern(`(?i)^<(?:search>|old|find>|original>)`)
