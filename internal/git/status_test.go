package git

import (
	"strings"
	"testing"
)

func FuzzParseStatus(f *testing.F) {
	f.Add("1 .M N... 100644 100644 100644 78981922613b2afb6025042ff6bd878ac1994e85 78981922613b2afb6025042ff6bd878ac1994e85 a b\x00")
	f.Add("2 R. N... 100644 100644 100644 7898 7898 R100 new\x00old\x00? x\x00! y\x00# z\x00")
	f.Add("u UU N... 100644 100644 100644 100644 1 2 3 both\x00")
	f.Fuzz(func(t *testing.T, out string) {
		entries, err := parseStatus(out)
		if err != nil {
			return
		}
		for _, e := range entries {
			if len(e.XY) != 2 || strings.Contains(e.Path, "\x00") {
				t.Errorf("odd entry %+v", e)
			}
		}
	})
}
