package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/testkit"
	"github.com/rogpeppe/go-internal/testscript"
)

// servers holds the model server of each script.
var servers sync.Map

func exitCode(err error) int {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return e.ExitCode()
	}
	return -1
}

// manifestCommand writes the path, mode and content of every file below DIR,
// .git left out, to FILE: manifest DIR FILE. Two of them are compared with cmp.
func manifestCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: manifest DIR FILE")
	}
	text, err := listing(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

// listing is path, mode and content of every file below dir, .git left out.
func listing(dir string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		var content string
		if info.Mode()&fs.ModeSymlink != 0 {
			content, err = os.Readlink(path)
		} else {
			var data []byte
			data, err = os.ReadFile(path)
			content = fmt.Sprintf("%x", sha256.Sum256(data))
		}
		fmt.Fprintf(&b, "%s %s %s\n", info.Mode(), filepath.ToSlash(rel), content)
		return err
	})
	return b.String(), err
}

// samesizeCommand says that no request after the first, which shows no failure yet, is more than PERCENT
// off the size of the second one: samesize PERCENT.
func samesizeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: samesize PERCENT")
	}
	percent, err := strconv.Atoi(args[0])
	ts.Check(err)
	v, ok := servers.Load(ts)
	if !ok {
		ts.Fatalf("no model was started")
	}
	requests := v.(*testkit.ModelServer).Requests()
	second := len(requests[1].Text())
	for i, r := range requests[1:] {
		if n := len(r.Text()); n > second+second*percent/100 || n < second-second*percent/100 {
			ts.Fatalf("request %d has %d bytes, the second one %d: more than %d percent off", i+2, n, second, percent)
		}
	}
}
