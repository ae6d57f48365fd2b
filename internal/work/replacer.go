package work

import (
	"bytes"
	"io"
)

// replacer gives a text in which each path below one directory lies below another.
type replacer struct {
	in       io.Reader
	from, to []byte
	buf      []byte // read and not yet given, replaced up to done
	done     int
	err      error
}

func newReplacer(in io.Reader, from, to string) io.Reader {
	return &replacer{in: in, from: []byte(from), to: []byte(to)}
}

// Read implements io.Reader.
func (r *replacer) Read(p []byte) (int, error) {
	for r.done == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.buf[:r.done])
	r.buf, r.done = r.buf[n:], r.done-n
	return n, nil
}

// fill reads more and replaces in it; what may be the beginning of a path waits.
func (r *replacer) fill() {
	chunk := make([]byte, 64<<10)
	n, err := r.in.Read(chunk)
	rest := append(r.buf[r.done:], chunk[:n]...)
	r.err = err
	keep := 0
	if err == nil {
		keep = min(len(r.from), len(rest)) // and the byte behind it
	}
	var out []byte
	for {
		i := bytes.Index(rest, r.from)
		if i < 0 || err == nil && i+len(r.from) >= len(rest) {
			break
		}
		end := i + len(r.from)
		out = append(out, rest[:i]...)
		if end == len(rest) || !partOfName(rest[end]) {
			out = append(out, r.to...)
		} else {
			out = append(out, r.from...)
		}
		rest = rest[end:]
	}
	keep = min(keep, len(rest))
	out = append(out, rest[:len(rest)-keep]...)
	r.done = len(out)
	r.buf = append(out, rest[len(rest)-keep:]...)
}

// partOfName reports whether a byte goes on with the last name of a path.
func partOfName(c byte) bool {
	return c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
