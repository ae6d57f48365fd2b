package edit

import (
	"errors"
	"strings"
)

func indentOf(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, " \t"))]
}

var errIndent = errors.New("matches only without regard to indentation, and differently from line to " +
	"line, so the indentation of the new lines is not known: copy the lines with their indentation")

// reindenter converts the indentation of a reply to that of the file. It learns from
// matching lines which indentation stands for which. Deeper indentation stays as is if it
// uses the file's characters; otherwise it becomes a tab for as many spaces as elsewhere.
func reindenter(search []string, file []line) func(string) (string, error) {
	known := make(map[string]string)
	unsure := make(map[string]bool)
	all := ""  // the file's indentation characters
	width := 0 // spaces of the reply for a tab of the file, if all lines agree
	for i, t := range search {
		if strings.TrimSpace(t) == "" || strings.TrimSpace(file[i].text) == "" {
			continue
		}
		s, f := indentOf(t), indentOf(file[i].text)
		if was, ok := known[s]; ok && was != f {
			unsure[s] = true
		}
		known[s] = f
		all += f
		if n := len(f); n > 0 && len(s)%n == 0 && strings.Trim(f, "\t")+strings.Trim(s, " ") == "" &&
			(width == 0 || width == len(s)/n) {
			width = len(s) / n
		} else if n > 0 {
			width = -1
		}
	}
	return func(t string) (string, error) {
		body := strings.TrimLeft(t, " \t")
		if body == "" {
			return t, nil
		}
		want := indentOf(t)
		for n := len(want); n >= 0; n-- {
			f, ok := known[want[:n]]
			more := want[n:]
			if width > 0 && len(more)%width == 0 && strings.Trim(more, " ") == "" {
				more = strings.Repeat("\t", len(more)/width)
			}
			if unsure[want[:n]] || ok && more != "" && strings.Trim(all+more, more[:1]) != "" {
				break
			} else if ok {
				return f + more + body, nil
			}
		}
		return "", errIndent
	}
}
