package git

import (
	"strings"
	"testing"
)

func FuzzParseRaw(f *testing.F) {
	f.Add([]byte(":100644 100755 7898 0000 M\x00a b\x00"))
	f.Add([]byte(":000000 100644 0000 7898 A\x00new\nline\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		changes, err := ParseRaw(out)
		if err != nil {
			return
		}
		for path, p := range changes {
			if strings.Contains(path, "\x00") || p.Was.Mode == ModeAbsent && p.Was.Hash != "" {
				t.Errorf("odd change %q %+v", path, p)
			}
		}
	})
}
