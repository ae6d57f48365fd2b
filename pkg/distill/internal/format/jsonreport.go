package format

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// maxLineText is how much of a line the line formats read. Longer lines are kept only for
// reports on a single line.
const maxLineText = 16 << 10

// readReports reads JSON and XML of test runners, linters and compilers. Their schemas
// differ only in names: somewhere there is an object with a state of failure and a title,
// or one with a message and a line. Go's own stream has a separate format.
func readReports(d *stream.Stream, f *core.Result) {
	budget := 4 << 20 // what is looked at grows with what there is, and no faster
	for i := range d.Lines {
		budget += 4 * len(d.Lines[i].S)
	}
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		isXML := xmlBegins(strings.TrimLeft(l.S, " "))
		if l.Used || budget <= 0 || !isXML && !jsonBegins(l.S) {
			cutLine(l)
			continue
		}
		if !isXML && plainEntry(l.S) {
			budget -= len(l.S)
			cutLine(l)
			continue
		}
		r := &jsonReport{f: f, at: l.No}
		src, whole := r.document(d.Lines[i:], isXML)
		budget -= src.read
		end := i + src.at
		if whole >= 0 {
			end = i + src.lineAt(whole)
		}
		if !r.accept() {
			cutLine(l)
			if whole >= 0 {
				i = max(i, end-1)
			}
			continue
		}
		if len(r.sums)+len(r.ran) > 0 {
			f.CountedAt(d.Lines[min(end, len(d.Lines))-1].No)
		}
		for k, bad := i, r.hasFailures(); k < end && k < len(d.Lines); k++ {
			d.Lines[k].Used = bad // else its text may tell what failed
		}
		i = max(i, end-1)
	}
}

// document reads the report at the beginning of some lines. It returns how much it read, and where the
// report ends, -1 if that is not known.
func (r *jsonReport) document(lines []stream.Line, isXML bool) (*lineReader, int) {
	src := &lineReader{lines: lines}
	if !isXML {
		r.runner = "JSON report"
		v, end := jsonDoc(src)
		if isGoEvent(v) {
			return src, -1
		}
		if !r.known(v) {
			r.walk(v, jsonScope{}, 0)
		}
		return src, end
	}
	tests, whole, err := testreport.JUnitInText(src)
	if err == nil || len(tests) > 0 {
		r.runner = "JUnit XML"
		for _, t := range tests {
			r.tested(t)
		}
		return src, int(whole)
	}
	r.runner = "XML report"
	src = &lineReader{lines: lines}
	v, end := xmlDoc(src)
	r.walk(v, jsonScope{}, 0)
	return src, end
}

func cutLine(l *stream.Line) {
	if len(l.S) > maxLineText {
		l.S = strings.ToValidUTF8(l.S[:maxLineText], "")
	}
}

// jsonBegins reports a line with which a document may begin.
func jsonBegins(s string) bool {
	if s == "" || s[0] != '{' && s[0] != '[' {
		return false
	}
	if len(s) == 1 {
		return true
	}
	rest := strings.TrimLeft(s[1:], " ")
	return rest != "" && (rest[0] == '"' ||
		s[0] == '[' && (rest[0] == '{' || rest[0] == '[' && len(rest) > 1 && rest[1] == '"'))
}

// plainEntry reports whether a line is an entry of a structured log, as isLogEntry tells, without
// decoding it: an object in which no key of a report can stand.
func plainEntry(s string) bool {
	return s[0] == '{' && len(s) < maxLineText && strings.IndexByte(s, '\\') < 0 && !strings.Contains(s, `"<"`) &&
		!slices.ContainsFunc(reportKeys, func(k string) bool { return strings.Contains(s, k) }) && json.Valid([]byte(s))
}

// lineReader reads lines as one stream without copying them together.
type lineReader struct {
	lines []stream.Line
	at    int // the line being read
	off   int
	read  int
	ends  []int // where each line that was begun ends
}

func (r *lineReader) Read(p []byte) (int, error) {
	if r.at >= len(r.lines) {
		return 0, io.EOF
	}
	s := r.lines[r.at].S
	n := copy(p, s[r.off:])
	r.off += n
	if r.off == len(s) && n < len(p) {
		p[n] = '\n'
		n++
		r.at, r.off = r.at+1, 0
		r.ends = append(r.ends, r.read+n)
	}
	r.read += n
	return n, nil
}

// lineAt returns the number of lines up to the byte before off.
func (r *lineReader) lineAt(off int) int {
	for k, e := range r.ends {
		if e >= off {
			return k + 1
		}
	}
	return r.at + 1
}

const maxJSONDepth = 48

// jsonDoc reads one value, even if it is incomplete. It returns where the value ends, -1 if
// it does not.
func jsonDoc(r io.Reader) (any, int) {
	dec := json.NewDecoder(r)
	v, ok := jsonValue(dec, 0)
	if !ok {
		return v, -1
	}
	return v, int(dec.InputOffset())
}

func jsonValue(dec *json.Decoder, depth int) (any, bool) {
	tok, err := dec.Token()
	if err != nil {
		return nil, false
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return tok, true
	}
	if depth > maxJSONDepth {
		return nil, false
	}
	switch delim {
	case '{':
		m := map[string]any{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return m, false
			}
			v, ok := jsonValue(dec, depth+1)
			if k, isKey := key.(string); isKey && v != nil {
				m[k] = v
			}
			if !ok {
				return m, false
			}
		}
		_, err = dec.Token()
		return m, err == nil
	case '[':
		list := []any{}
		for dec.More() {
			v, ok := jsonValue(dec, depth+1)
			if v != nil {
				list = append(list, v)
			}
			if !ok {
				return list, false
			}
		}
		_, err = dec.Token()
		return list, err == nil
	}
	return nil, false
}

func isGoEvent(v any) bool {
	m, ok := v.(map[string]any)
	_, action := m["Action"]
	return ok && action
}

// jsonText returns the text of the first key that has one.
func jsonText(m map[string]any, keys ...string) string {
	for _, k := range keys {
		switch v := m[k].(type) {
		case string:
			if v != "" {
				return v
			}
		case map[string]any:
			if s, ok := v["text"].(string); ok && s != "" {
				return s
			}
		case []any:
			var parts []string
			for _, e := range v {
				if o, ok := e.(map[string]any); ok && o[tagKey] != nil {
					e = o["text"]
				}
				if s, ok := e.(string); ok {
					parts = append(parts, s)
				}
			}
			if len(parts) > 0 {
				return strings.Join(parts, "\n")
			}
		}
	}
	return ""
}

// jsonNumber returns the number of the first key that has one, or -1.
func jsonNumber(m map[string]any, keys ...string) int {
	for _, k := range keys {
		switch v := m[k].(type) {
		case float64:
			if v >= 0 && v < 1e9 {
				return int(v)
			}
		case string:
			if stream.OnlyDigits(v) {
				return text.Atoi(v)
			}
		}
	}
	return -1
}
