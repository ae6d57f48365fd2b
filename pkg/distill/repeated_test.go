package distill

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reCross is the line of a failing test with a cross in front of its name.
var reCross = regexp.MustCompile(`(?m)^(\s*)(?:\x1b\[\d+m)*([✗✖✘×✕])(?:\x1b\[\d+m)* (\S.*)$`)

// The last result of a name counts: a real output behind which each failing test is told
// once more, as a passing one, names none of them, but where the last line lacks what the
// others have: a file or a group in front. What is read is the core alone.
func TestAFailingTestThatIsRepeatedAsPassing(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many outputs again")
	}
	done, kept, all := 0, 0, 0
	for _, dir := range append(loadCases(t, "testdata"), loadCases(t, filepath.Join("internal", "core", "testdata", "strangers"))...) {
		in, m := loadOutput(t, dir), loadTruth(t, dir)
		var again, names []string
		for _, line := range reCross.FindAllStringSubmatch(string(in), -1) {
			for _, name := range m.FailingTests {
				if leaf := name[strings.LastIndex(name, " > ")+1:]; strings.Contains(line[3], strings.TrimLeft(leaf, "> ")) {
					again, names = append(again, line[1]+"✓ "+line[3]), append(names, name)
				}
			}
		}
		if !bytes.ContainsAny(in, "✓✔√") || len(again) == 0 {
			continue
		}
		r, err := coreAlone().read(context.Background(), strings.NewReader(string(in)+"\n"+strings.Join(again, "\n")+"\n"),
			Options{Dir: filepath.Join(dir, "tree")})
		if err != nil {
			t.Fatal(err)
		}
		done, all = done+1, all+len(names)
		for _, f := range r.Failures {
			for _, name := range names {
				if f.Test != "" && sameName(f.Test, name) {
					t.Logf("%s: %q has passed in the end", dir, f.Test)
					kept++
				}
			}
		}
	}
	if done < 25 || kept > 7 {
		t.Errorf("of %d names of %d outputs %d are told, which passed in the end", all, done, kept)
	}
}
