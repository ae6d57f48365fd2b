package distill

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/distill/internal/format"
)

func TestShow(t *testing.T) {
	if os.Getenv("CASE") == "" {
		t.Skip()
	}
	for _, dir := range strings.Fields(os.Getenv("CASE")) {
		how := coreAlone()
		if os.Getenv("FULL") != "" {
			how = all()
		}
		m := loadTruth(t, dir)
		in := loadOutput(t, dir)
		fmt.Printf("##### %s\nTRUTH %q\n", dir, m.FailingTests)
		for _, f := range m.Failures {
			fmt.Printf("  %s:%d %q %q\n", f.File, f.Line, f.Test, f.MustKeep)
		}
		if os.Getenv("OUT") != "" {
			fmt.Println(string(in[:min(len(in), 5000)]))
		}
		r, _ := how.read(context.Background(), bytes.NewReader(in), Options{Dir: filepath.Join(dir, "tree")})
		p := func(x *int) string {
			if x == nil {
				return "-"
			}
			return fmt.Sprint(*x)
		}
		fmt.Println("----- runner", r.Runner, "counts", p(r.Passed), p(r.Failed), p(r.Skipped), "files", r.Files)
		for _, f := range r.Failures {
			fmt.Printf("  [%s] %q %s:%d kind %s msg %q exp %q act %q\n", f.FoundBy, f.Test, f.File, f.Line, f.Kind, f.Message, f.Expected, f.Actual)
		}
		if os.Getenv("TEXT") != "" {
			fmt.Println(r.Text)
		}
	}
}

func all() settings { // nolint
	s := coreAlone()
	s.rows = format.Formats()
	return s
}
