package stream

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestDecoded(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"empty":               {"", ""},
		"one byte":            {"a", "a"},
		"utf-8":               {"ok ✓\n", "ok ✓\n"},
		"bytes of no text":    {"\xfe\xfd\x00\xff", "\xfe\xfd\x00\xff"},
		"little end first":    {"\xff\xfeF\x00\x13\x27\n\x00", "F✓\n"},
		"big end first":       {"\xfe\xff\x00F\x27\x13\x00\n", "F✓\n"},
		"pair of surrogates":  {"\xff\xfe\x3d\xd8\x00\xdeA\x00", "😀A"},
		"half a pair":         {"\xff\xfe\x3d\xd8A\x00", "\ufffdA"},
		"half a letter":       {"\xff\xfeA\x00B", "A\ufffd"},
		"nothing but a mark":  {"\xff\xfe", ""},
		"longer than a block": {"\xff\xfe" + strings.Repeat("a\x00", 100_000), strings.Repeat("a", 100_000)},
	} {
		for how, r := range map[string]io.Reader{
			"at once": strings.NewReader(c.in), "bytewise": iotest.OneByteReader(strings.NewReader(c.in)),
		} {
			counted := &Counter{R: r}
			got, err := io.ReadAll(Decoded(counted))
			if err != nil || string(got) != c.want || counted.N != int64(len(c.in)) {
				t.Errorf("%s, %s: got %.40q and %d bytes, %v; want %.40q", name, how, got, counted.N, err, c.want)
			}
		}
	}
	if _, err := io.ReadAll(Decoded(iotest.ErrReader(io.ErrUnexpectedEOF))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want the reader's own error", err)
	}
}
