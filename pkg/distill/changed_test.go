package distill

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// firing prints what a runner of nobody's would: marks, names, messages, a sum.
func firing(pass, fail, sum string, failing map[int]bool, n int) string {
	var b strings.Builder
	bad := 0
	for i := range n {
		if failing[i] {
			bad++
			fmt.Fprintf(&b, "%s pot number %c holds\n    wanted %d degrees, have %d\n", fail, 'a'+i, 900+i, 12+i)
		} else {
			fmt.Fprintf(&b, "%s pot number %c holds\n", pass, 'a'+i)
		}
	}
	fmt.Fprintf(&b, sum+"\n", n-bad, bad)
	return b.String()
}

func named(t *testing.T, output string) []string {
	t.Helper()
	code := 1
	r, err := Read(context.Background(), strings.NewReader(output), Options{Dir: t.TempDir(), ExitCode: &code})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range r.Failures {
		if f.Test != "" && !slices.Contains(out, f.Test) {
			out = append(out, f.Test)
		}
	}
	slices.Sort(out)
	return out
}

func TestAnOutputThatIsChangedNamesTheSame(t *testing.T) {
	t.Parallel()
	failing := map[int]bool{2: true, 5: true}
	want := []string{"pot number c holds", "pot number f holds"}
	plain := firing("✓", "✗", "\n%d passed, %d failed", failing, 7)
	log := strings.Repeat("TEMPERATURE: pot 1 is warm\nTEMPERATURE: pot 2 is warm\n", 200)
	for name, output := range map[string]string{
		"as it is":                    plain,
		"other crosses":               firing("✔", "⨯", "\n%d passed, %d failed", failing, 7),
		"words":                       firing("ok  ", "FAIL", "\n%d passed, %d failed", failing, 7),
		"a log in front":              log + plain,
		"an old failure that passed":  strings.Replace(plain, "✓ pot number g", "✗ pot number a holds\n    wanted 1 degrees, have 0\n✓ pot number a holds\n✓ pot number g", 1),
		"failures doubled":            plain + plain,
		"a sum in another order":      firing("✓", "✗", "\nfailed: %[2]d, passed: %[1]d", failing, 7),
		"a sum of one number and all": firing("✓", "✗", "\n%[2]d of 7 tests failed", failing, 7)[0:] + "",
		"time stamps of a service": string(eachLine([]byte(plain), func(i int, l []byte) []byte {
			return append(fmt.Appendf(nil, "2026-11-21T02:21:%02d.0000000Z ", i%60), l...)
		})),
		"the mark of Buildkite":        string(prefixed("\x1b_bk;t=1763691713027\x07")([]byte(plain))),
		"the label of Turborepo":       string(prefixed("@shop/web:test: ")([]byte(plain))),
		"the head of npm workspaces":   "\n> @shop/web@1.0.0 test\n> runner\n\n" + plain,
		"a stamp with a comma":         string(prefixed("2026-11-21 02:21:53,123 ")([]byte(plain))),
		"a stamp in brackets":          string(prefixed("[2026-11-21T02:21:53.027Z] ")([]byte(plain))),
		"a second run behind it":       plain + firing("✓", "✗", "\n%d passed, %d failed", failing, 7),
		"a clock":                      string(eachLine([]byte(plain), func(i int, l []byte) []byte { return append(fmt.Appendf(nil, "[10:00:%02d] ", i%60), l...) })),
		"a clock with a bar":           string(eachLine([]byte(plain), func(i int, l []byte) []byte { return append(fmt.Appendf(nil, "10:00:%02d.123 | ", i%60), l...) })),
		"the label of nx":              string(prefixed("shop:test: ")([]byte(plain))),
		"the label of docker compose":  string(prefixed("web-1  | ")([]byte(plain))),
		"the label of concurrently":    string(prefixed("[0] ")([]byte(plain))),
		"the stamp of a GitLab runner": string(prefixed("2026-11-21T02:21:53.027000Z 01O ")([]byte(plain))),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(output, "%!") {
				output = strings.Split(output, "%!")[0] + "\n"
			}
			if got := named(t, output); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q of\n%s", got, want, output[max(0, len(output)-900):])
			}
		})
	}
}

// What holds for every red run, whoever printed it.
func TestInvariantsOfFailingRuns(t *testing.T) {
	for _, dir := range loadCases(t, "testdata") {
		m := loadTruth(t, dir)
		if m.Kind == "pass" || len(m.CulpritFiles) == 0 {
			continue
		}
		r := readWith(t, dir, 1)
		if len(r.Files) == 0 {
			t.Errorf("%s: no suspects", dir)
		}
		if r.Failed != nil && len(r.Failures) > 0 && r.named() < *r.Failed && !strings.Contains(r.Text, "understood") {
			t.Errorf("%s: %d named of %d, and the text does not say so", dir, r.named(), *r.Failed)
		}
		checkReport(t, loadOutput(t, dir), r, DefaultBudget)
	}
}

// FuzzRedRun holds what must be true of every run that is known to have failed:
// no value differs from what was printed, a suspect is named, the counts and the
// names agree or the text says so, and a line that reads like an error and
// occurs once is in a text that has room.
func FuzzRedRun(f *testing.F) {
	f.Add("OK    pot holds water\nNOPE  glaze melts\n      wanted: 900\n      have: 870\n1 good / 1 bad\n")
	f.Add("[start] kiln heats up\n[done]  kiln heats up\n[start] glaze melts\nBus error (core dumped)\n")
	f.Add("2 passed, 3 failed\nerror: the kiln is cold\n")
	dir, one := plant(f, "src/kiln.qx"), 1
	f.Fuzz(func(t *testing.T, in string) {
		const told = "error: the celadon pot cracked at 930 degrees"
		r, err := Read(context.Background(), strings.NewReader(in+"\n\n"+told+"\n"), Options{Dir: dir, ExitCode: &one, Budget: 60000})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Files) == 0 {
			t.Error("no suspects")
		}
		if r.Failed != nil && len(r.Failures) > 0 && r.named() < *r.Failed && !strings.Contains(r.Text, "understood") {
			t.Errorf("%d named of %d, and the text does not say so", r.named(), *r.Failed)
		}
		plain := !strings.ContainsFunc(in, func(c rune) bool { return c < ' ' && c != '\n' || c > '~' })
		if plain && len(in) < 2000 && !strings.Contains(r.Text, "the celadon pot cracked at 930 degrees") {
			t.Errorf("the error is not told:\n%s", r.Text)
		}
	})
}
