package distill

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// small keeps the sieve busy with inputs of the size that a fuzzer tries.
var small = stream.Limits{Head: 2 << 10, Hot: 4 << 10, Tail: 2 << 10, Line: 512}

func seeds(f *testing.F, max int) {
	for _, dir := range sample(f, 150, 5, "") {
		b := loadOutput(f, dir)
		f.Add(b[:min(len(b), max)])
	}
}

// FuzzRead holds the promises of Read for any input, kept whole or sieved.
func FuzzRead(f *testing.F) {
	seeds(f, 8<<10)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, lim := range []stream.Limits{stream.DefaultLimits, small} {
			o := Options{Dir: dir, Budget: 600}
			a, err := settings{lim, format.Formats()}.read(context.Background(), bytes.NewReader(in), o)
			if err != nil {
				t.Fatal(err)
			}
			checkReport(t, in, a, 600)
			b, _ := settings{lim, format.Formats()}.read(context.Background(), oneByteReader{bytes.NewReader(in)}, o)
			if a.Text != b.Text || a.Signature != b.Signature {
				t.Errorf("reading by bytes gives another text:\n%s\n%s", a.Text, b.Text)
			}
		}
	})
}

type oneByteReader struct{ r *bytes.Reader }

func (o oneByteReader) Read(p []byte) (int, error) { return o.r.Read(p[:min(1, len(p))]) }

// FuzzFormats returns the input to each format alone, so that none is shielded
// by an earlier one that claims the lines.
func FuzzFormats(f *testing.F) {
	seeds(f, 8<<10)
	root := tree.NewTree(filepath.Join("testdata", "corpus", "rspec", "expectation-and-raise-error", "tree"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, x := range format.Formats() {
			if x.Read == nil {
				continue
			}
			s := stream.NewSieve(stream.DefaultLimits)
			s.Write(in)
			k := s.Finish()
			x.Words = nil
			res := core.Recognise(stream.Normalise(k, nil), root, k.Tally, nil, []core.Format{x})
			res.Merge()
			for i := range res.Failures {
				if y := &res.Failures[i]; y.Line < 0 || strings.ContainsRune(y.File, '\n') || strings.ContainsRune(y.Test, '\n') && x.Name != "TeamCity" && x.Name != "JUnit XML" {
					t.Errorf("%s: bad failure %q %q %d", x.Name, y.Test, y.File, y.Line)
				}
			}
		}
	})
}
