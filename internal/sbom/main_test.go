package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheBillIsOfTheProgram reads a real one: this test's own program is built by go,
// and go version tells what it holds.
func TestTheBillIsOfTheProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bill.json")
	if err := write(self, file, "1.2.3", "2026-11-22T10:00:00Z"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if b.Metadata.Component.Version != "1.2.3" || len(b.Metadata.Component.Hashes[0].Content) != 64 || b.Components[0].Name != "stdlib" {
		t.Errorf("got %s", text)
	}
	out, err := exec.Command("go", "version", "-m", self).Output()
	if err != nil {
		t.Skip(err)
	}
	var want, got []string
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) >= 3 && f[0] == "dep" {
			want = append(want, f[1]+" "+f[2])
		}
	}
	for _, c := range b.Components[1:] {
		got = append(got, c.Name+" "+c.Version)
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got -, want +\n%s", diff)
	}
	if err := write(file, file, "", ""); err == nil {
		t.Error("a text was taken for a program")
	}
}

func TestWhatWasReplacedIsNotThere(t *testing.T) {
	b := billOf(&debug.BuildInfo{
		GoVersion: "go1.26.8", Main: debug.Module{Path: "example.com/a", Version: "v1.0.0"},
		Deps: []*debug.Module{{Path: "example.com/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/c", Version: "v2.0.0+incompatible"}}},
	}, "")
	want := []string{"pkg:golang/stdlib@1.26.8", "pkg:golang/example.com/c@v2.0.0%2Bincompatible"}
	if diff := cmp.Diff(b.Dependencies, []dependency{{"pkg:golang/example.com/a@v1.0.0", want}}); diff != "" {
		t.Errorf("got -, want +\n%s", diff)
	}
}
