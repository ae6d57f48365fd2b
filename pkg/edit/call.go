package edit

import (
	"encoding/json"
	"io"
	"strings"
)

// Models trained on tool calls make them even if no tools are offered. A call is read by
// its arguments, whatever the tool's name and syntax: a path with content is a file, a path
// with an old and a new text is a block. Any other call is reported.

const noTools = "line %d of the reply is a tool call, but there are no tools here and nothing of it " +
	"is carried out: write the edit itself, the path on a line of its own and under it a fence with the " +
	"complete content or with search and replace blocks"

// callTokens open a call between template tokens.
var callTokens = pattern(`^(?:<\|tool_calls?_?\w*\|>|<｜tool[^｜]*｜>|\[TOOL_CALLS\]|<\|python_tag\|>|` +
	`functions\.\w+:\d+\s*(?:[<{]|$))`)

// tokenCall reports a call between tokens, whose arguments may be anything.
func tokenCall(t text, i int, c context) *found {
	if l := t.trimmed(i); strings.IndexByte("<[f", l[0]) < 0 || !callTokens().MatchString(l) {
		return nil
	}
	end := t.find("call", i, func(j int) bool {
		l := strings.ToLower(t.lines[j])
		return strings.Contains(l, "tool_calls_section_end") || strings.Contains(l, "tool▁calls▁end")
	})
	f := c.keep(max(end, i) + 1)
	f.problem("", noTools, t.number(i))
	return f
}

// argumentNames unify the names that tools give to the same thing.
var argumentNames = map[string]string{
	"path": "path", "file": "path", "filepath": "path", "filename": "path", "targetfile": "path",
	"absolutepath": "path", "relativepath": "path",
	"content": "content", "contents": "content", "filetext": "content", "newcontent": "content",
	"code": "content",
	"text": "content", "newfilecontent": "content",
	"old": "old", "oldstr": "old", "oldstring": "old", "oldtext": "old", "search": "old", "find": "old",
	"original": "old", "before": "old", "oldcode": "old",
	"new": "new", "newstr": "new", "newstring": "new", "newtext": "new", "replace": "new",
	"replacement": "new",
	"updated":     "new", "after": "new", "newcode": "new",
	"patch": "patch", "diff": "patch", "input": "patch", "patchtext": "patch",
	"command": "tool", "tool": "tool", "name": "tool",
}

// arguments are those of a call, by unified name. An empty "all" means every place.
type arguments map[string]string

func (a arguments) has(names ...string) bool {
	for _, n := range names {
		if _, ok := a[n]; !ok {
			return false
		}
	}
	return true
}

func argumentName(key string) string {
	return argumentNames[strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))]
}

const argumentTags = `path|file_path|filepath|file|filename|target_file|content|contents|old_str|` +
	`old_string|old|search|find|` +
	`original|new_str|new_string|new|replace|replacement|updated|diff|patch|command`

// argument matches an argument of a call, in the ways that models write them between tags.
var argument = pattern(`(?s)<parameter(?:=|\s+name=)"?([\w-]+)"?\s*>(.*?)</parameter>|` +
	`<arg_key>\s*([\w-]+)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>|` +
	`<(` + argumentTags + `)>(.*?)</(?:` + argumentTags + `)>`)

// callEnd matches the end of one of several calls.
var callEnd = pattern(`</(?:\w+:)?(?:invoke|function|tool_call)>`)

// calls adds the calls between tags, or the changes of the file name.
func (f *found) calls(name, text string, line int) {
	made := callsIn(name, text)
	for _, a := range made {
		f.call(a, line)
	}
	if len(made) == 0 {
		f.problem("", noTools, line)
	}
}

// callsIn returns the calls in a text, the first of them for the file name.
func callsIn(name, text string) []arguments {
	var made []arguments
	a, own, end := arguments{}, false, 0 // own: the path is this call's
	for _, at := range argument().FindAllStringSubmatchIndex(text, -1) {
		group := func(k int) string { return text[max(at[2*k], 0):max(at[2*k+1], 0)] }
		key := argumentName(group(1) + group(3) + group(5))
		head := key == "path" || key == "tool"
		if a.has("tool") && callEnd().MatchString(text[end:at[0]]) {
			made = append(made, a)
			name, a, own = "", arguments{}, false
		}
		if head && own || !head && a.has(key) { // the next one begins
			made = append(made, a)
			name = a["path"]
			if a, own = (arguments{}), !head; head {
				name = "" // otherwise a further change of the same file
			}
		}
		own = own || key == "path"
		if !a.has("tool") {
			a["tool"] = text[end:at[0]]
			if name != "" {
				a["path"] = name
			}
		}
		value := uncdata(strings.TrimPrefix(strings.TrimPrefix(group(2)+group(4)+group(6), "\r"), "\n"))
		if key == "tool" {
			value = a["tool"] + " " + value
		}
		a[key], end = value, at[1]
		delete(a, "")
	}
	if a.has("tool") {
		return append(made, a)
	}
	return jsonIn(text)
}

// jsonIn returns the edits in the JSON values of a text.
func jsonIn(text string) (out []arguments) {
	for at := strings.IndexAny(text, "{["); at >= 0; at = strings.IndexAny(text, "{[") {
		text = text[at:]
		d := json.NewDecoder(strings.NewReader(text))
		var v any
		if d.Decode(&v) != nil {
			return out
		}
		out = append(out, jsonCalls(v, arguments{})...)
		text = text[d.InputOffset():]
	}
	return out
}

// jsonCalls returns the edits in a JSON value. Outer arguments apply to all inner ones:
// {"path": …, "edits": […]}.
func jsonCalls(v any, above arguments) (out []arguments) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			out = append(out, jsonCalls(x, above)...)
		}
	case map[string]any:
		a := arguments{"tool": above["tool"]}
		if above.has("path") {
			a["path"] = above["path"]
		}
		for k, x := range v {
			key := argumentName(k)
			if s, ok := x.(string); ok && key == "tool" {
				a["tool"] += " " + s
			} else if ok {
				a[key] = s
			} else if x == true && strings.Contains(strings.ToLower(k), "all") {
				a["all"] = ""
			}
		}
		for _, key := range []string{"arguments", "parameters", "args", "input", "edits", "changes", "files",
			"replacements", "function"} {
			inner := v[key]
			if s, ok := inner.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
				_ = json.Unmarshal([]byte(s), &inner) // otherwise it is text
			}
			out = append(out, jsonCalls(inner, a)...)
		}
		if out == nil && (looksLikePath(cleanPath(a["path"]), true) &&
			(a.has("content") || a.has("old", "new")) || isEnvelope(firstLine(a["patch"]))) {
			out = []arguments{a}
		}
	}
	return out
}

// call adds the edit that a call stands for.
func (f *found) call(a arguments, line int) {
	name, tool := cleanPath(strings.TrimSpace(a["path"])), strings.ToLower(a["tool"])
	switch {
	case name == "", strings.Contains(tool, "append"), strings.Contains(tool, "insert"), a.has("all"),
		a.has("patch"):
		f.problem(name, noTools, line)
	case a.has("old", "new") && a["old"] != "":
		f.last = name
		f.edit(Edit{Op: Modify, Path: name, Line: line,
			Blocks: []Block{{Search: withFinalNewline(a["old"]), Replace: withFinalNewline(a["new"]),
				Line: line}}})
	case a.has("content"), a.has("old", "new"):
		f.whole(name, line, texts(withFinalNewline(a["content"]+a["new"])))
	case strings.Contains(tool, "delete"), strings.Contains(tool, "remove"):
		f.edit(Edit{Op: Delete, Path: name, Line: line})
	default:
		f.problem(name, noTools, line)
	}
}

// withFinalNewline returns a text that ends with a whole line.
func withFinalNewline(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// fencedJSON reads a fence of JSON that holds edits. Other JSON is an example, and so may be
// a file given as {"path", "content"}.
func fencedJSON(lang string, body text, first int, c context) *found {
	if lang != "json" && lang != "" && lang != "jsonc" || strings.IndexByte("{[", body.trimmed(first)[0]) < 0 {
		return nil
	}
	d := json.NewDecoder(
		strings.NewReader(cutTokens(strings.TrimSpace(strings.Join(body.lines[first:], "\n")))))
	var v any
	if d.Decode(&v) != nil {
		return nil
	} else if _, err := d.Token(); err != io.EOF {
		return nil
	}
	made := jsonCalls(v, arguments{})
	if one, ok := v.(map[string]any); len(made) == 0 ||
		ok && len(made) == 1 && !made[0].has("old") && one["content"] != nil {
		return nil
	}
	f := c.begin()
	for _, a := range made {
		f.call(a, body.before)
	}
	return f
}
