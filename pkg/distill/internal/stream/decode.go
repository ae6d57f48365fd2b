package stream

import (
	"bufio"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Decoded returns UTF-8 for input with a UTF-16 byte order mark, as PowerShell writes to
// files; other input is returned as is.
func Decoded(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(2) // an error comes again where the rest is read
	if mark := string(head); mark != "\xff\xfe" && mark != "\xfe\xff" {
		return in
	}
	return transform.NewReader(in, unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM).NewDecoder())
}

// Counter counts the bytes read through it.
type Counter struct {
	R io.Reader
	N int64
}

func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.R.Read(p)
	c.N += int64(n)
	return n, err
}
