package edit

import "strings"

// uncdata takes the marks of a CDATA section off a text that they enclose.
func uncdata(s string) string {
	body, ok := strings.CutPrefix(strings.TrimLeft(s, " \t\r\n"), "<![CDATA[")
	if !ok {
		return s
	}
	end := strings.TrimRight(body, " \t\r\n")
	if body, ok = strings.CutSuffix(end, "]]>"); !ok {
		return s
	}
	return strings.TrimPrefix(strings.TrimPrefix(body, "\r"), "\n")
}
