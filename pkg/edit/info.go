package edit

import (
	"path"
	"strings"
)

// fenceInfo is what the text behind an opening fence says.
type fenceInfo struct {
	lang, path string
	// word stands where a path could, but is none by its looks.
	word string
	// part says that a range of lines stands beside the path.
	part bool
}

func parseInfo(info string) fenceInfo {
	info = strings.TrimSpace(info)
	if m := citation().FindStringSubmatch(info); m != nil && looksLikePath(cleanPath(m[1]), true) {
		return fenceInfo{path: cleanPath(m[1]), part: true}
	}
	info, part := cutLines(info)
	f := parseWords(info)
	f.part = part && f.path != ""
	return f
}

func parseWords(info string) fenceInfo {
	info = strings.TrimSpace(info)
	if info == "" {
		return fenceInfo{}
	}
	var f fenceInfo
	words := strings.Fields(info)
	first := words[0]
	if !strings.ContainsAny(first, "={") {
		if p, lang, ok := cutLast(first, ":"); ok && hasExtension(p) && lang != "" &&
			!strings.ContainsAny(lang, "./0123456789") && looksLikePath(cleanPath(p), false) {
			f.lang, f.path = strings.ToLower(lang), cleanPath(p)
		} else if lang, p, ok := strings.Cut(first, ":"); ok && p != "" && lang != "" && looksLikePath(cleanPath(p), true) {
			f.lang, f.path = strings.ToLower(lang), cleanPath(p)
		} else if c := cleanPath(strings.Trim(first, "`\"'")); (strings.Contains(c, "/") || hasExtension(c)) && looksLikePath(c, false) {
			f.path, f.lang = c, strings.TrimPrefix(path.Ext(c), ".")
		} else {
			f.lang = strings.ToLower(first)
		}
		info = strings.TrimSpace(info[len(first):])
	} else if i := strings.IndexByte(first, '{'); i > 0 {
		f.lang = strings.ToLower(first[:i])
		info = info[i:]
	}
	if f.path != "" || info == "" {
		return f
	}
	if p := infoAttribute(info); p != "" {
		f.path = cleanPath(p)
		return f
	}
	if n, ok := pathLine(strings.Trim(info, "{}() ")); ok && !strings.Contains(info, "=") {
		f.path = n.path
	} else if isToken(info) {
		f.word = info
	}
	return f
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func hasExtension(t string) bool {
	i := strings.LastIndexByte(t, '.')
	return i >= 0 && i < len(t)-1
}

// infoAttribute finds path=…, file=…, title="…" and the like.
func infoAttribute(info string) string {
	rest := strings.Trim(info, "{} ")
	for rest != "" {
		key, after, ok := strings.Cut(rest, "=")
		if !ok {
			return ""
		}
		if i := strings.LastIndexAny(key, " ,;"); i >= 0 {
			key = key[i+1:]
		}
		var value string
		after = strings.TrimLeft(after, " ")
		if after != "" && (after[0] == '"' || after[0] == '\'' || after[0] == '`') {
			if end := strings.IndexByte(after[1:], after[0]); end >= 0 {
				value, rest = after[1:1+end], after[end+2:]
			} else {
				value, rest = after[1:], ""
			}
		} else if i := strings.IndexAny(after, " ,}"); i >= 0 {
			value, rest = after[:i], after[i:]
		} else {
			value, rest = after, ""
		}
		switch strings.ToLower(strings.Trim(key, " .-#")) {
		case "path", "file", "filename", "filepath", "file_path", "file-path":
			if p := cleanPath(value); looksLikePath(p, true) || isToken(p) {
				return value
			}
		case "title", "name":
			if looksLikePath(cleanPath(value), true) {
				return value
			}
		}
	}
	return ""
}

// commentPath reads a path from a comment that holds nothing else, as models
// put it into the first line of a fence.
func commentPath(text string) (string, bool) {
	t := strings.TrimSpace(text)
	for _, c := range [][2]string{{"<!--", "-->"}, {"/*", "*/"}, {"{/*", "*/}"}, {"//", ""}, {"#", ""}, {"--", ""},
		{";", ""}, {"%", ""}} {
		body, ok := strings.CutPrefix(t, c[0])
		if !ok {
			continue
		}
		if c[1] != "" {
			if body, ok = strings.CutSuffix(body, c[1]); !ok {
				continue
			}
		}
		body = strings.TrimSpace(body)
		body, labelled := cutLabel(body)
		body = cleanPath(cutRemark(body))
		if !looksLikePath(body, labelled) || strings.ContainsAny(body, " !") {
			return "", false
		}
		if labelled || strings.Contains(body, "/") && hasExtension(body) || hasExtension(body) && len(path.Ext(body)) <= 6 {
			return body, true
		}
		return "", false
	}
	return "", false
}
