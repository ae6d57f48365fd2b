package distill

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// small keeps the sieve busy with inputs of the size that a fuzzer tries.
var small = limits{head: 2 << 10, hot: 4 << 10, tail: 2 << 10, line: 512}

func seeds(f *testing.F, max int) {
	for _, dir := range loadCases(f, "testdata") {
		b := loadOutput(f, dir)
		f.Add(b[:min(len(b), max)])
	}
}

// FuzzRead holds the promises of Read for any input, kept whole or sieved.
func FuzzRead(f *testing.F) {
	seeds(f, 8<<10)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, lim := range []limits{defaultLimits, small} {
			o := Options{Dir: dir, Budget: 600}
			a, err := read(context.Background(), bytes.NewReader(in), o, lim)
			if err != nil {
				t.Fatal(err)
			}
			checkReport(t, in, a, 600)
			b, _ := read(context.Background(), oneByteReader{bytes.NewReader(in)}, o, lim)
			if a.Text != b.Text || a.Signature != b.Signature {
				t.Errorf("reading by bytes gives another text:\n%s\n%s", a.Text, b.Text)
			}
		}
	})
}

type oneByteReader struct{ r *bytes.Reader }

func (o oneByteReader) Read(p []byte) (int, error) { return o.r.Read(p[:min(1, len(p))]) }

// FuzzFormats gives the input to each format alone, so that none is shielded
// by an earlier one that claims the lines.
func FuzzFormats(f *testing.F) {
	seeds(f, 8<<10)
	root := newTree(filepath.Join("testdata", "corpus", "rspec", "expectation-and-raise-error", "tree"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, x := range formats() {
			s := newSieve(defaultLimits)
			s.write(in)
			k := s.finish()
			res := &found{root: root, tally: k.tally}
			for _, d := range normalise(k) {
				res.doc, res.format = d, x.name
				x.read(d, res)
			}
			res.merge()
			for i := range res.failures {
				if y := &res.failures[i]; y.Line < 0 || strings.ContainsRune(y.File, '\n') || strings.ContainsRune(y.Test, '\n') && x.name != "TeamCity" && x.name != "JUnit XML" {
					t.Errorf("%s: bad failure %q %q %d", x.name, y.Test, y.File, y.Line)
				}
			}
		}
	})
}
