package specs

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

var annotation = once(`@tdd-(max-attempts|timeout|priority|after)[ \t:=]+([\w-]+(?:[ \t]*,[ \t]*[\w-]+)*)`)

// The upper limits of annotations.
const (
	mostAttempts = 100
	mostMinutes  = 24 * 60
)

// annotate reads the comments around a spec: on its own line, above it and its test, and in
// between.
func (s *source) annotate(spec *Spec) {
	from, to := s.around(spec.cut.from, spec.cut.to)
	s.read(spec, from, to)
	if test := s.holder(spec); test >= 0 {
		from, to := s.around(test, test)
		s.read(spec, from, to)
	}
}

func (s *source) read(spec *Spec, from, to int) {
	for _, m := range annotation().FindAllSubmatchIndex(s.data[from:to], -1) {
		if s.kind[from+m[0]] == inComment {
			spec.note(string(s.data[from+m[2]:from+m[3]]), string(s.data[from+m[4]:from+m[5]]))
		}
	}
}

// holder returns where the test begins whose body holds the marker, or -1 if the marker is
// before its test.
func (s *source) holder(spec *Spec) int {
	switch spec.Marker {
	case "t.Skip":
		return s.testAt(goTest(), spec.cut.to)
	case "test.fixme":
		if spec.cut.text == "" && s.data[spec.cut.from] != '.' {
			return s.testAt(scriptTest(), spec.cut.from)
		}
	case "pytest.skip", "pytest.xfail", "self.skipTest":
		return s.testAt(pythonTest(), spec.cut.from)
	case "pending":
		return s.testAt(rubyExample(), spec.cut.from)
	}
	return -1
}

// around returns the lines of a marker with the comments, decorators and attributes around
// it.
func (s *source) around(from, to int) (int, int) {
	begin := s.lineStart(from)
	for begin > 0 && s.leads(s.lineStart(begin-1)) {
		begin = s.lineStart(begin - 1)
	}
	if to > from && s.data[to-1] == '\n' {
		to-- // the whole line of the marker is removed
	}
	end := to + lineEnd(s.data[to:])
	first := s.data[min(from+s.indent(from), len(s.data)-1)]
	decorates := from < to && (first == '@' || first == '#') // then the test is below
	for decorates && end < len(s.data) && s.leads(end+1) {
		end += 1 + lineEnd(s.data[end+1:])
	}
	return begin, end
}

// leads reports whether line i leads up to a test.
func (s *source) leads(i int) bool {
	if i >= len(s.data) {
		return false
	}
	line := bytes.TrimSpace(s.data[i : i+lineEnd(s.data[i:])])
	if len(line) == 0 {
		return false
	}
	at := i + bytes.Index(s.data[i:], line)
	return s.kind[at] == inComment || line[0] == '@' || bytes.HasPrefix(line, []byte("#["))
}

// annotateText reads the annotations of a user's own marker: on its lines, and on the
// non-empty lines right above it.
func annotateText(spec *Spec, data []byte, from, to int) {
	begin := bytes.LastIndexByte(data[:from], '\n') + 1
	for range 5 {
		above := bytes.LastIndexByte(data[:max(begin-1, 0)], '\n') + 1
		line := bytes.TrimSpace(data[above:begin])
		if begin == 0 || !bytes.Contains(line, []byte("@tdd-")) {
			break
		}
		begin = above
	}
	end := to + lineEnd(data[to:])
	for _, m := range annotation().FindAllSubmatch(data[begin:end], -1) {
		spec.note(string(m[1]), string(m[2]))
	}
}

func (spec *Spec) note(name, value string) {
	if name == "after" {
		for id := range strings.SplitSeq(value, ",") {
			spec.After = append(spec.After, strings.TrimSpace(id))
		}
		return
	}
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil {
		return
	}
	switch name {
	case "priority":
		spec.Priority = n
	case "max-attempts":
		spec.MaxAttempts = min(max(n, 1), mostAttempts)
	case "timeout":
		spec.Timeout = time.Duration(min(max(n, 1), mostMinutes)) * time.Minute
	}
}
