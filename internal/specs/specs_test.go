package specs

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what is found into testdata")

// TestMarkers goes through testdata: each archive holds files, then "specs", the
// list of what is pending in them, and "active/FILE", each file with all its
// markers taken out.
func TestMarkers(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files, want := inputs(a)
			got := found(t, files)
			if *update {
				a.Files = append(files, got...)
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(asText(want), asText(got)); d != "" {
				t.Errorf("want (-), got (+):\n%s", d)
			}
		})
	}
}

func inputs(a *txtar.Archive) (files, want []txtar.File) {
	for _, f := range a.Files {
		if f.Name == "specs" || strings.HasPrefix(f.Name, "active/") {
			want = append(want, f)
			continue
		}
		files = append(files, f)
	}
	return files, want
}

func asText(files []txtar.File) string { return string(txtar.Format(&txtar.Archive{Files: files})) }

func found(t *testing.T, files []txtar.File) []txtar.File {
	finder := NewFinder(nil)
	var all []Spec
	var out []txtar.File
	for _, f := range files {
		list := finder.In(f.Name, f.Data)
		all = append(all, list...)
		active := f.Data
		for _, s := range slices.Backward(list) {
			active = s.Activate(active)
			mustComeBack(t, f.Data, s)
		}
		out = append(out, txtar.File{Name: "active/" + f.Name, Data: active})
	}
	var b strings.Builder
	for _, s := range Order(all, nil) {
		fmt.Fprintf(&b, "%s | %s:%d | %s | %q of %q", s.ID, s.File, s.Line, s.Marker, s.Title, s.Test)
		if s.Bodyless {
			b.WriteString(" | no body")
		}
		if s.Priority != defaultPriority || s.MaxAttempts > 0 || s.Timeout > 0 {
			fmt.Fprintf(&b, " | priority %d, attempts %d, timeout %s", s.Priority, s.MaxAttempts, s.Timeout)
		}
		if s.SharedID != "" {
			fmt.Fprintf(&b, " | shares %s", s.SharedID)
		}
		b.WriteString("\n")
	}
	return append([]txtar.File{{Name: "specs", Data: []byte(b.String())}}, out...)
}

// mustComeBack activates a spec and puts it back, also where the rest of the
// file has changed meanwhile, and with the line ends of Windows.
func mustComeBack(t *testing.T, data []byte, s Spec) {
	t.Helper()
	active := s.Activate(data)
	if bytes.Equal(active, data) {
		t.Errorf("%s: nothing was taken out", s.Title)
	}
	if got, ok := s.PutBack(data, active); !ok || !bytes.Equal(got, data) {
		t.Errorf("%s at line %d does not come back (%v):\n%s", s.Title, s.Line, ok,
			cmp.Diff(string(data), string(got)))
	}
	head := []byte("new first line\n")
	if got, ok := s.PutBack(data, append(slices.Clone(head), active...)); !ok ||
		!bytes.Equal(got, append(head, data...)) {
		t.Errorf("%s does not come back below a new line", s.Title)
	}
}

// Globs come before priority, and that before path; comments name what comes first.
func TestOrder(t *testing.T) {
	finder := NewFinder(nil)
	var all []Spec
	for _, f := range []struct{ path, text string }{
		{"a.test.js", "// @tdd-after C-1, D-2\ntest.fixme('A-1 a', () => { f() })\n"},
		{"b.test.js", "// @tdd-priority 1\ntest.fixme('B-1 b', () => { f() })\n"},
		{"core/c.test.js", "test.fixme('C-1 c', () => { f() })\n"},
	} {
		all = append(all, finder.In(f.path, []byte(f.text))...)
	}
	core := func(path string) int {
		if strings.HasPrefix(path, "core/") {
			return 0
		}
		return 1
	}
	got := ""
	for _, s := range Order(all, core) {
		got += fmt.Sprint(s.ID, s.After, " ")
	}
	if want := "C-1[] B-1[] A-1[C-1 D-2] "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWindowsLineEndsStay(t *testing.T) {
	unix := "package a\n\nfunc TestA(t *testing.T) {\n\tt.Skip(\"booty: A-1\")\n\tt.Fail()\n}\n"
	dos := []byte(strings.ReplaceAll(unix, "\n", "\r\n"))
	list := NewFinder(nil).In("a_test.go", dos)
	if len(list) != 1 {
		t.Fatalf("found %d specs", len(list))
	}
	want := strings.ReplaceAll(string(dos), "\tt.Skip(\"booty: A-1\")\r\n", "")
	if got := string(list[0].Activate(dos)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	mustComeBack(t, dos, list[0])
}

func TestPatternsOfTheUsersOwn(t *testing.T) {
	data := []byte("# @tdd-priority 4\n# @tdd-max-attempts 2\nPENDING(\"ABC-1 bats works\") {\n  " +
		"x\n}\nPENDING(\"two\") {}\n")
	finder := NewFinder([]Pattern{{
		Match: func(p string) bool { return p == "t.bats" }, Pending: regexp.MustCompile(`PENDING\("([^"]*)"\)`), Active: `TEST("$1")`,
	}})
	if !finder.May("t.bats") || finder.May("t.txt") {
		t.Error("the pattern's files are not told")
	}
	list := Order(finder.In("t.bats", data), nil)
	if len(list) != 2 || list[0].ID != "ABC-1" || list[0].Priority != 4 || list[0].MaxAttempts != 2 ||
		list[1].ID != "t-two" {
		t.Fatalf("got %+v", list)
	}
	if got := string(list[0].Activate(data)); !strings.Contains(got, "TEST(\"ABC-1 bats works\") {") ||
		!strings.Contains(got, "PENDING(\"two\")") {
		t.Errorf("got %s", got)
	}
	mustComeBack(t, data, list[0])
}

func TestPutBackReportsAMissingPlace(t *testing.T) {
	data := []byte("test.fixme('A-1', () => {})\n")
	s := NewFinder(nil).In("a.test.js", data)[0]
	if got, ok := s.PutBack(data, []byte("something else\n")); ok {
		t.Errorf("put back into %q", got)
	}
}

// FuzzSpecs asks of any text: no panic, specs in order and apart, what is
// activated differs, comes back, and is not pending at that place any more.
func FuzzSpecs(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.txtar")
	if len(names) == 0 {
		f.Fatal("no seeds")
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		files, _ := inputs(a)
		for _, file := range files {
			f.Add(file.Name, file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		last := 0
		list := NewFinder(nil).In(name, data)
		for _, s := range list {
			if s.cut.from < last || s.cut.to <= s.cut.from || s.cut.to > len(data) {
				t.Fatalf("cut %d-%d after %d of %d", s.cut.from, s.cut.to, last, len(data))
			}
			last = s.cut.to
			active := s.Activate(data)
			if len(active) >= len(data) {
				t.Fatalf("the file grew: %q", active)
			}
			if back, ok := s.PutBack(data, active); ok && !bytes.Equal(back, data) {
				t.Fatalf("came back as %q, was %q", back, data)
			}
		}
		seen := map[string]bool{}
		for _, s := range Order(list, nil) {
			if s.ID == "" || seen[s.ID] {
				t.Fatalf("id %q twice or empty", s.ID)
			}
			seen[s.ID] = true
		}
	})
}

// BenchmarkFind reads 20,000 files with 1,000 specs among them.
func BenchmarkFind(b *testing.B) {
	type file struct {
		name string
		data []byte
	}
	var files []file
	for i := range 20000 {
		text := fmt.Sprintf("package p%d\n\n%s", i,
			strings.Repeat("// a line of a source file, as there are many\nfunc F() int { return 1 }\n", 40))
		if i%20 == 0 {
			text += fmt.Sprintf("func TestA(t *testing.T) {\n\tt.Skip(\"booty: A-%d does it\")\n}\n", i)
		}
		files = append(files, file{fmt.Sprintf("p%d/a_test.go", i), []byte(text)})
	}
	for b.Loop() {
		finder := NewFinder(nil)
		var all []Spec
		for _, f := range files {
			all = append(all, finder.In(f.name, f.data)...)
		}
		if got := len(Order(all, nil)); got != 1000 {
			b.Fatalf("found %d specs", got)
		}
	}
}
