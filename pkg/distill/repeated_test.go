package distill

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The marks of a failing test, before its name and behind it, and those of a passing one.
var (
	reFailBefore = regexp.MustCompile(`[✗✖✘×✕]|\[  FAILED  \]|\bnot ok\b|\bFAIL(?:ED|URE)?\b`)
	reFailBehind = regexp.MustCompile(`^(["')\]]?[ .:]*[\[(<]*)(FAIL(?:ED|URE)?|failed)` +
		`([\])>!]*(?: [(\[]?[\d.]+ ?m?s[)\]]?)?)$`)
	reFailWord = regexp.MustCompile(`(?i)\bfail|\brecorded`)
	passing    = map[string]string{"[  FAILED  ]": "[       OK ]", "not ok": "ok", "FAIL": "PASS", "FAILED": "PASSED",
		"FAILURE": "SUCCESS", "failed": "passed"}
)

// asPassing tells a failing test as a passing one, in the words of the line that told its
// failure; "" where the line tells more than the result, or nothing that has an opposite.
func asPassing(line, leaf string) string {
	i := strings.Index(line, leaf)
	if i < 0 {
		return ""
	}
	good := func(mark string) string {
		if g := passing[mark]; g != "" {
			return g
		}
		return "✓"
	}
	before, behind := line[:i], strings.TrimRight(line[i+len(leaf):], " ")
	if m := reFailBehind.FindStringSubmatch(behind); m != nil {
		return before + leaf + m[1] + good(m[2]) + m[3]
	}
	again := reFailBefore.ReplaceAllStringFunc(before, good)
	if again == before || reFailWord.MatchString(again+behind) {
		return ""
	}
	if n := len(behind); n > 0 && strings.IndexByte(`"')]`, behind[0]) >= 0 {
		leaf += behind[:1]
	} else if n > 0 && behind[0] != ' ' {
		return ""
	}
	return again + leaf
}

// The last result of a name counts: a real output behind which each failing test is told
// once more, as a passing one and in its own words, names none of them.
// Three are left out: what the core takes for the name is only a part of it where a label
// or a duration stands in front, and a pass between rules is none in tcltest's own words.
func TestAFailingTestThatIsRepeatedAsPassing(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many outputs again")
	}
	otherwise := map[string]bool{"buck2": true, "qunit": true, "tcltest": true}
	reColour := regexp.MustCompile(`\x1b\[[\d;]*[mK]`)
	for which, how := range map[string]settings{"the core alone": coreAlone(), "all readers": {}} {
		done, all := 0, 0
		for _, dir := range append(loadCases(t, "testdata"), loadCases(t, filepath.Join("internal", "core", "testdata", "strangers"))...) {
			in, m := reColour.ReplaceAllString(string(loadOutput(t, dir)), ""), loadTruth(t, dir)
			var again, names []string
			for _, name := range m.FailingTests {
				leaf := strings.TrimLeft(name[strings.LastIndex(name, " > ")+1:], "> ")
				for _, line := range strings.Split(in, "\n") {
					if s := asPassing(strings.TrimSuffix(line, "\r"), leaf); s != "" {
						again, names = append(again, s), append(names, name)
						break
					}
				}
			}
			if len(again) == 0 {
				continue
			}
			read := Read
			if how.rows != nil {
				read = how.read
			}
			twice := in + "\n" + strings.Join(again, "\n") + "\n"
			r, err := read(context.Background(), strings.NewReader(twice), Options{Dir: filepath.Join(dir, "tree")})
			if err != nil {
				t.Fatal(err)
			}
			done, all = done+1, all+len(names)
			for i, name := range names {
				for _, f := range r.Failures {
					if f.Test != "" && sameName(f.Test, name) {
						if !otherwise[filepath.Base(filepath.Dir(dir))] {
							t.Errorf("%s, %s: %q has passed in the end: %q", which, dir, f.Test, again[i])
						}
						break
					}
				}
			}
		}
		if done < 150 || all < 290 {
			t.Errorf("%s: %d names of %d outputs were told as passing", which, all, done)
		}
	}
}

// Where a package fails behind the last pass, one of its tests must have failed: it ran more than once.
func TestATestThatRanThreeTimesAndFailedOnceHasFailed(t *testing.T) {
	t.Parallel()
	const once = "=== RUN   TestGlaze\n    kiln_test.go:9: too cold\n--- FAIL: TestGlaze (0.00s)\n"
	const fine = "=== RUN   TestGlaze\n--- PASS: TestGlaze (0.00s)\n"
	for output, want := range map[string]int{
		once + fine + fine + "FAIL\nFAIL\texample.org/pottery\t0.01s\n":                                       1,
		once + "FAIL\nFAIL\texample.org/pottery\t0.01s\n" + fine + "PASS\nok  \texample.org/pottery\t0.01s\n": 0,
	} {
		if got := named(t, output); len(got) != want {
			t.Errorf("%d named, %q, of\n%s", want, got, output)
		}
	}
}

// A name with quotes, or letters beyond ASCII in another case, is found where it passes.
func TestATestWithAnOddNameHasPassedInTheEnd(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"spills nothing", "doesn't", `pours "hot"`, "verse l'été", "ÉTÉ"} {
		output := "TAP version 13\nnot ok 1 - " + name + "\n  ---\n  message: too cold\n  ...\nok 2 - cools\nok 3 - " + name + "\n"
		r, err := Read(context.Background(), strings.NewReader(output), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Failures {
			if f.Test != "" {
				t.Errorf("%q has failed, want none: it passed behind", f.Test)
			}
		}
		once, _, _ := strings.Cut(output, "ok 3")
		if r, err = Read(context.Background(), strings.NewReader(once), Options{}); err != nil || len(r.Failures) != 1 {
			t.Errorf("%q: got %d failures, %v; want the one that did not pass", name, len(r.Failures), err)
		}
	}
}
