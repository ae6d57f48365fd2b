package edit_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

// resolve works a reply out against one file.
func resolve(t *testing.T, name, old, reply string) ([]edit.Change, []edit.Problem) {
	t.Helper()
	root := t.TempDir()
	writeTree(t, root, map[string]string{name: old})
	return readAndResolve(edit.DirFS(root), reply)
}

func TestBytesThatNoEditNamesStay(t *testing.T) {
	t.Parallel()
	const block = "f.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"
	last := func(s, r string) string {
		return "f.txt\n<<<<<<< SEARCH\n" + s + "=======\n" + r + ">>>>>>> REPLACE\n"
	}
	diff := func(body string) string { return "```diff\n--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n" + body + "```\n" }
	for name, c := range map[string]struct{ old, reply, want string }{
		"a block keeps CRLF":                                {"one\r\ntwo\r\nthree\r\n", block, "one\r\n2\r\nthree\r\n"},
		"a block adds lines with CRLF":                      {"one\r\ntwo\r\n", last("two\n", "two\nmore\n"), "one\r\ntwo\r\nmore\r\n"},
		"whole content takes CRLF over":                     {"one\r\ntwo\r\n", "f.txt\n```\n1\ntwo\n3\n```\n", "1\r\ntwo\r\n3\r\n"},
		"a diff keeps CRLF":                                 {"one\r\ntwo\r\n", diff(" one\n-two\n+2\n"), "one\r\n2\r\n"},
		"mixed line ends stay, the new line like the old":   {"one\r\ntwo\nthree\r\nfour\n", block, "one\r\n2\nthree\r\nfour\n"},
		"mixed line ends stay in context":                   {"one\r\ntwo\nthree\r\n", last("one\ntwo\nthree\n", "one\n2\nthree\n"), "one\r\n2\nthree\r\n"},
		"whole content keeps mixed line ends of kept lines": {"one\r\ntwo\nthree\r\nfour\r\n", "f.txt\n```\none\ntwo\n3\nfour\n```\n", "one\r\ntwo\n3\r\nfour\r\n"},
		"whole content may change an accent":                {"é\r\nb\nc\r\n", "f.txt\n```\nè\nb\nc\n```\n", "è\r\nb\nc\r\n"},
		"a byte order mark stays before a block":            {"\ufefftwo\nx\n", block, "\ufeff2\nx\n"},
		"a byte order mark stays with whole content":        {"\ufefftwo\n", "f.txt\n```\nnew\n```\n", "\ufeffnew\n"},
		"a byte order mark alone stays":                     {"\ufeff", "f.txt\n```\nnew\n```\n", "\ufeffnew\n"},
		"a byte order mark is not added":                    {"two\n", "f.txt\n```\n\ufeffnew\n```\n", "new\n"},
		"a byte order mark that a block quotes stays":       {"\ufefftwo\nx\n", last("\ufefftwo\n", "\ufeff2\n"), "\ufeff2\nx\n"},
		"a byte order mark is not doubled":                  {"\ufefftwo\nx\n", last("two\n", "\ufeff2\n"), "\ufeff2\nx\n"},
		"a byte order mark stays where another is quoted":   {"\ufeffone\ntwo\n", last("\ufefftwo\n", "2\n"), "\ufeffone\n2\n"},
		"a block takes a byte order mark away":              {"\ufefftwo\r\nx\r\n", last("\ufefftwo\n", "two\n"), "two\r\nx\r\n"},
		"a block puts a byte order mark before":             {"two\n", last("two\n", "\ufefftwo\n"), "\ufefftwo\n"},
		"a diff keeps a byte order mark in context":         {"\ufeffone\ntwo\n", diff(" \ufeffone\n-two\n+2\n"), "\ufeffone\n2\n"},
		"a diff takes a byte order mark away":               {"\ufeffone\ntwo\n", diff("-\ufeffone\n+one\n two\n"), "one\ntwo\n"},
		"a missing final newline stays":                     {"one\ntwo", block, "one\n2"},
		"a missing final newline stays behind new lines":    {"one\ntwo", last("two\n", "two\nmore\n"), "one\ntwo\nmore"},
		"a missing final newline stays elsewhere":           {"two\none", block, "2\none"},
		"whole content keeps it with the same last line":    {"one\ntwo", "f.txt\n```\n1\ntwo\n```\n", "1\ntwo"},
		"whole content keeps it with a new last line":       {"one\ntwo", "f.txt\n```\none\n2\n```\n", "one\n2"},
		"whole content keeps it in a file with CRLF":        {"one\r\ntwo", "f.txt\n```\none\n2\n```\n", "one\r\n2"},
		"whole content may add the newline alone":           {"one\ntwo", "f.txt\n```\none\ntwo\n```\n", "one\ntwo\n"},
		"a diff may add the newline":                        {"one\ntwo", diff(" one\n-two\n\\ No newline at end of file\n+two\n"), "one\ntwo\n"},
		"a diff may take the newline":                       {"one\ntwo\n", diff(" one\n-two\n+two\n\\ No newline at end of file\n"), "one\ntwo"},
		"a diff may leave it missing":                       {"one\ntwo", diff("-one\n+1\n two\n\\ No newline at end of file\n"), "1\ntwo"},
		"the last line goes, the one before stays as it is": {"one\ntwo", last("two\n", ""), "one\n"},
		"bytes that are not UTF-8 stay":                     {"caf\xe9\ntwo\n", block, "caf\xe9\n2\n"},
		"a lone CR is part of a line":                       {"a\rb\ntwo\n", block, "a\rb\n2\n"},
		"a form feed stays":                                 {"\f\ntwo\n", block, "\f\n2\n"},
		"blanks at the ends of kept lines stay":             {"one \t\ntwo\n", last("one\ntwo\n", "one\n2\n"), "one \t\n2\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes, problems := resolve(t, "f.txt", c.old, c.reply)
			if len(problems) != 0 || len(changes) != 1 {
				t.Fatalf("got %d changes and problems %q", len(changes), problems)
			}
			if got := string(changes[0].New); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if string(changes[0].Old) != c.old {
				t.Errorf("old: got %q, want %q", changes[0].Old, c.old)
			}
		})
	}
}

func TestBinaryFilesAreRefused(t *testing.T) {
	t.Parallel()
	_, problems := resolve(t, "f.png", "\x89PNG\x00\x01", "f.png\n```\nx\n```\n")
	matchProblems(t, problems, []string{"is not a text file"})
}

func TestDirectoriesAreNoFiles(t *testing.T) {
	t.Parallel()
	_, problems := resolve(t, "d/f.txt", "x\n", "DELETE `d`\n")
	matchProblems(t, problems, []string{"is not a regular file"})
	_, problems = resolve(t, "f.txt", "x\n", "f.txt/g.txt\n```\nx\n```\n")
	matchProblems(t, problems, []string{"f.txt is a file"})
}

func TestModeIsKept(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeTree(t, root, map[string]string{"run.sh": "old\n"})
	if err := os.Chmod(filepath.Join(root, "run.sh"), 0o750); err != nil {
		t.Fatal(err)
	}
	apply(t, root, "run.sh\n```\nnew\n```\n\nRENAME run.sh -> bin/go.sh\n")
	info, err := os.Stat(filepath.Join(root, "bin", "go.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Separator == '/' && info.Mode().Perm() != 0o750 {
		t.Errorf("got mode %v, want 0750", info.Mode())
	}
}

func TestModeOfANewFileInADiff(t *testing.T) {
	t.Parallel()
	r := edit.Parse(nil, "diff --git a/x.sh b/x.sh\nnew file mode 100755\n--- /dev/null\n+++ b/x.sh\n@@ -0,0 +1 @@\n+echo\n")
	changes, problems := edit.Resolve(edit.DirFS(t.TempDir()), r)
	if len(problems) != 0 || len(changes) != 1 || changes[0].Mode != fs.FileMode(0o755) {
		t.Errorf("got %+v, %q", changes, problems)
	}
}

func TestNearestTextIsShownWithItsLine(t *testing.T) {
	t.Parallel()
	old := strings.Repeat("filler line\n", 40) + "func alpha(count int) error {\n\treturn nil\n}\n"
	_, problems := resolve(t, "f.txt", old, "f.txt\n<<<<<<< SEARCH\nfunc alpha(count string) error {\n\treturn nil\n=======\nx\n>>>>>>> REPLACE\n")
	if len(problems) != 1 || !strings.Contains(problems[0].Reason, "lines 41 to 42, is:\nfunc alpha(count int) error {\n\treturn nil") {
		t.Errorf("got %q", problems)
	}
}

// apply carries a reply out and fails on any problem.
func apply(t *testing.T, root, reply string) []edit.Change {
	t.Helper()
	changes, problems := readAndResolve(edit.DirFS(root), reply)
	if len(problems) > 0 {
		t.Fatalf("problems: %q", problems)
	}
	if err := applyTo(root, changes); err != nil {
		t.Fatal(err)
	}
	return changes
}

// rootless does not know where it is, as a file system around another may not.
type rootless struct{ memory }

func (rootless) Root() string { return "" }

func TestAnAbsolutePathOfNoKnownRoot(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"/", "/new.txt", "/etc/new.txt", "C:\\new.txt"} {
		changes, problems := readAndResolve(rootless{memory{"a.txt": "a\n"}}, "File: "+p+"\n```\nx\n```\n\nRENAME a.txt -> "+p+"\n")
		if len(problems) == 0 || len(changes) != 0 {
			t.Errorf("%s: got %+v, problems %q", p, changes, problems)
		}
	}
}

func TestAnAbsolutePathBelowTheRootIsTaken(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeTree(t, root, map[string]string{"src/a.txt": "old\n"})
	abs := filepath.ToSlash(root)
	apply(t, root, abs+"/src/a.txt\n```\nnew\n```\n\nRENAME "+abs+"/src/a.txt -> "+abs+"/b.txt\n")
	if got := readTree(t, root); len(got) != 1 || got["b.txt"] != "new\n" {
		t.Errorf("got %q", got)
	}
}
