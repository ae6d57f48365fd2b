package detect_test

import (
	"bytes"
	"strings"
)

// archive is a txtar archive: a comment, then files behind "-- name --" lines.
// The public reader of the form needs a module that nothing else here needs.
type archive struct {
	comment []byte
	files   []archived
}

type archived struct {
	name string
	data []byte
}

func parseArchive(data []byte) *archive {
	a := &archive{}
	for line := range bytes.Lines(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))) {
		s := strings.TrimRight(string(line), " \n")
		if len(s) > 6 && strings.HasPrefix(s, "-- ") && strings.HasSuffix(s, " --") {
			a.files = append(a.files, archived{name: strings.TrimSpace(s[3 : len(s)-3])})
			continue
		}
		if n := len(a.files); n > 0 {
			a.files[n-1].data = append(a.files[n-1].data, line...)
		} else {
			a.comment = append(a.comment, line...)
		}
	}
	return a
}

func (a *archive) format() []byte {
	b := bytes.Clone(a.comment)
	for _, f := range a.files {
		b = append(b, "-- "+f.name+" --\n"...)
		b = append(b, f.data...)
	}
	return b
}
