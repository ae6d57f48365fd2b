package llm

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzFrames: whatever a server sends, each line that comes out is one frame,
// the same whether it arrives at once or byte by byte.
func FuzzFrames(f *testing.F) {
	for _, s := range []string{
		frame(delta("a")) + "data: [DONE]\n\n", "{\n \"a\": 1\n}\n", ": comment\n\ndata: {\"error\":{}}\n", "data: {\"a\":\ndata: 1}\n\n",
		"<html>", "\xef\xbb\xbfdata: 1\n", "data:{}\rdata:{}", "event: x\ndata: \xff\xfe\n\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		whole, err := io.ReadAll(newFrames(io.NopCloser(bytes.NewReader(data)), func() {}))
		if err != nil && !errors.Is(err, errTooLarge) {
			t.Fatalf("reading: %v", err)
		}
		slow, slowErr := io.ReadAll(newFrames(io.NopCloser(iotest.OneByteReader(bytes.NewReader(data))), func() {}))
		if (err == nil) != (slowErr == nil) || !bytes.Equal(whole, slow) {
			t.Fatalf("at once %q, byte by byte %q (%v)", whole, slow, slowErr)
		}
		for line := range strings.Lines(string(whole)) {
			if !strings.HasPrefix(line, "data: ") || !strings.HasSuffix(line, "\n") {
				t.Fatalf("line %q of %q", line, whole)
			}
		}
	})
}

func FuzzParseError(f *testing.F) {
	for _, s := range []string{`{"error":{"message":"m","code":1}}`, `{"error":"x"}`, `[{"error":{"message":"m"}}]`, `{"detail":[{"msg":"x"}]}`, `{"error":null}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { _, _, _ = parseError(data) })
}
