package edit

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"sync"
)

// Models that were taught to call tools do so where there are none. Such a call
// is read by its arguments, whatever the tool is called and in whatever way they
// are written: a path with content is a file, a path with an old and a new text
// is a block, a patch is a patch. What has none of these is told.

// callStart opens a call or several.
var callStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<((?:\w+:)?(?:tool_calls?|function_calls?|tool_use|invoke|function|str_replace(?:_editor)?|search_replace|edit_file|apply_diff|write_file|create_file))((?:=|\s)[^>]*)?>`)
})

// callTokens open a call between tokens of a template.
var callTokens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:<\|tool_calls?_?\w*\|>|<｜tool[^｜]*｜>|\[TOOL_CALLS\]|<\|python_tag\|>|functions\.\w+:\d+)`)
})

// argument is one argument of a call, in the ways that models write them.
var argument = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)<parameter(?:=|\s+name=)"?([\w-]+)"?\s*>(.*?)</parameter>|<arg_key>\s*([\w-]+)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>|` +
		`<(path|file_path|filepath|file|filename|target_file|content|contents|old_str|old_string|old|search|find|original|new_str|new_string|new|replace|replacement|updated|diff|patch|command)>(.*?)</(?:path|file_path|filepath|file|filename|target_file|content|contents|old_str|old_string|old|search|find|original|new_str|new_string|new|replace|replacement|updated|diff|patch|command)>`)
})

var callName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<(?:\w+:)?(?:function=|invoke\s+name=)"?([\w.-]+)`)
})

// arguments are those of a call, by the name of what they are.
type arguments struct {
	tool, path, content, old, new, patch string
	has                                  map[string]bool
	all                                  bool // every place is meant
	line                                 int
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
	"command": "tool", "tool": "tool",
}

func argumentName(key string) string {
	return argumentNames[strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))]
}

func (a *arguments) set(key, value string) {
	name := argumentName(key)
	if name == "" {
		return
	}
	if a.has == nil {
		a.has = make(map[string]bool)
	}
	a.has[name] = true
	switch name {
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
		a.tool += " " + value
	}
}

// call reads calls that begin at line i.
func (p *parser) call(t string, i, to int) (next int, ok bool) {
	if t[0] != '<' && t[0] != '[' && t[0] != 'f' {
		return i, false
	}
	if callTokens().MatchString(t) {
		p.problem("", noTools, i+1)
		return p.afterCall(i, to), true
	}
	m := callStart().FindStringSubmatch(t)
	if m == nil || tagPath(strings.ToLower(m[1]), m[2]) != "" {
		return i, false
	}
	end := p.tagEnd(m[1], i, to)
	if end < 0 {
		p.cut("", "the call at line %d of the reply is not closed", i+1)
		return to, true
	}
	text := strings.Join(p.lines[i:end+1], "\n")
	found := 0
	for _, part := range splitCalls(text) {
		for _, a := range readCall(part) {
			a.line = i + 1
			p.carryOut(a)
			found++
		}
	}
	if found == 0 {
		p.problem("", noTools, i+1)
	}
	return end + 1, true
}

const noTools = "line %d of the reply is a tool call, but there are no tools here and nothing of it is carried out: write the edit itself, the path on a line of its own and under it a fence with the complete content or with search and replace blocks"

// afterCall is the line behind what belongs to a call between tokens.
func (p *parser) afterCall(i, to int) int {
	for j := i; j < to; j++ {
		if l := strings.ToLower(p.lines[j]); strings.Contains(l, "tool_calls_section_end") ||
			strings.Contains(l, "tool▁calls▁end") {
			return j + 1
		}
	}
	return i + 1
}

// tagEnd is the line on which a tag is closed, or -1.
func (p *parser) tagEnd(tag string, i, to int) int {
	if p.openTags >= patience {
		return -1
	}
	closing := "</" + tag + ">"
	for j := i; j < to; j++ {
		if strings.Contains(p.lines[j], closing) {
			return j
		}
	}
	p.openTags++
	return -1
}

// splitCalls divides a text at the ends of its calls.
func splitCalls(text string) []string {
	var out []string
	for _, end := range []string{"</invoke>", "</function>", "</tool_call>"} {
		if parts := strings.Split(text, end); len(parts) > 2 || len(parts) == 2 && end != "</tool_call>" {
			for _, s := range parts {
				if strings.TrimSpace(s) != "" {
					out = append(out, s)
				}
			}
			if len(out) > 1 && !strings.Contains(out[len(out)-1], "<parameter") {
				out = out[:len(out)-1]
			}
			return out
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
	s = strings.TrimPrefix(strings.TrimPrefix(s, "\r"), "\n")
	return uncdata(s)
}

// jsonCalls finds the edits in a JSON value. What stands above them holds for
// all: {"path": …, "edits": […]}.
func jsonCalls(v any, above arguments) []arguments {
	switch v := v.(type) {
	case []any:
		var out []arguments
		for _, x := range v {
			out = append(out, jsonCalls(x, above)...)
		}
		return out
	case map[string]any:
		a := above
		a.has = nil
		if above.path != "" {
			a.set("path", above.path)
		}
		var out []arguments
		for _, key := range []string{"arguments", "parameters", "args", "input", "edits", "changes", "files",
			"replacements", "function"} {
			inner := v[key]
			if s, ok := inner.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
				var again any
				if json.Unmarshal([]byte(s), &again) == nil {
					inner = again
				}
			}
			switch inner.(type) {
			case map[string]any, []any:
				b := a
				for _, k := range []string{"path", "file", "file_path", "filename", "name", "tool"} {
					if s, ok := v[k].(string); ok && k == "name" {
						b.tool = s
					} else if ok {
						b.set(k, s)
					}
				}
				out = append(out, jsonCalls(inner, b)...)
			}
		}
		if out != nil {
			return out
		}
		for k, x := range v {
			if s, ok := x.(string); ok {
				a.set(k, s)
			} else if yes, ok := x.(bool); ok && yes && strings.Contains(strings.ToLower(k), "all") {
				a.all = true
			}
		}
		if a.isEdit() {
			return []arguments{a}
		}
	}
	return nil
}

// isEdit tells arguments of an edit from others.
func (a arguments) isEdit() bool {
	return a.has["path"] && looksLikePath(a.path, true) && (a.has["content"] || a.has["old"] && a.has["new"]) ||
		a.has["patch"] && isEnvelope(strings.TrimSpace(firstLine(a.patch)))
}

// carryOut adds the edit that a call stands for.
func (p *parser) carryOut(a arguments) {
	tool := strings.ToLower(a.tool)
	switch {
	case a.has["patch"] && (isEnvelope(strings.TrimSpace(firstLine(a.patch))) || strings.Contains(a.patch, "@@") || strings.Contains(a.patch, "SEARCH")):
		p.within(a)
	case a.path == "" || strings.Contains(tool, "append") || strings.Contains(tool, "insert") || a.all:
		p.problem(a.path, noTools, a.line)
	case a.has["old"] && a.has["new"] && a.old != "":
		p.last, p.lastGuess = a.path, nil
		p.add(Edit{Kind: Replace, Path: a.path, Line: a.line,
			Blocks: []Block{{Search: ended(a.old), Replace: ended(a.new), Line: a.line}}})
	case a.has["content"], a.has["old"] && a.has["new"]:
		p.addWhole(Edit{Kind: Whole, Path: a.path, Line: a.line}, texts(ended(a.content+a.new)), a.path)
	case strings.Contains(tool, "delete") || strings.Contains(tool, "remove"):
		p.add(Edit{Kind: Remove, Path: a.path, Line: a.line})
	default:
		p.problem(a.path, noTools, a.line)
	}
}

// within reads a patch or blocks that are the argument of a call.
func (p *parser) within(a arguments) {
	text := replyLines(a.patch)
	sub := &parser{lines: text, nested: true, endsLine: true, complete: true}
	if a.path != "" {
		sub.pend = &pending{named: named{path: a.path, marked: true}}
	}
	sub.run(0, len(text), deepest)
	for _, e := range sub.reply.Edits {
		e.Line += a.line
		p.add(e)
	}
	p.reply.Problems = append(p.reply.Problems, sub.reply.Problems...)
	if len(sub.reply.Edits)+len(sub.reply.Problems) == 0 {
		p.problem(a.path, noTools, a.line)
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

// jsonBlock tells JSON that has the keys of an edit.
var jsonBlock = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)"(?:path|file|file_?[pP]ath|filename)"\s*:.*"(?:old|old_?str(?:ing)?|search|find|original)"\s*:`)
})

// jsonEdits reads a fence of JSON that holds edits. Other JSON is an example.
func (p *parser) jsonEdits(f fenceLine, i, first, end int) bool {
	if f.lang != "json" && f.lang != "" && f.lang != "jsonc" || first >= end ||
		!strings.ContainsAny(strings.TrimSpace(p.lines[first])[:1], "{[") {
		return false
	}
	text := strings.Join(p.lines[first:end], "\n")
	d := json.NewDecoder(strings.NewReader(text))
	var v any
	err := d.Decode(&v)
	if err == nil && cutTokens(strings.TrimSpace(text[d.InputOffset():])) != "" {
		err = errors.New("text follows behind it")
	}
	if err != nil {
		if !jsonBlock().MatchString(text) {
			return false
		}
		p.problem("", "the JSON at line %d of the reply seems to hold edits, but cannot be read: %s. Write the path on a line of its own and under it a fence with search and replace blocks", i+1, err)
		return true
	}
	found := jsonCalls(v, arguments{})
	if one, ok := v.(map[string]any); ok && len(found) == 1 && !found[0].has["old"] {
		if _, plain := one["content"]; plain {
			return false // a file given as {"path", "content"} may be an example as well
		}
	}
	for _, a := range found {
		a.line = i + 1
		p.carryOut(a)
	}
	return len(found) > 0
}
