package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/atomicfile"
)

// A tree of booty's own has a git directory at its root, as a clone has: tools ask git for
// the root, for what is tracked, or for a place to keep a cache beside it. It is for them
// alone. booty's own git never reads it: what a command may have written there is obeyed by
// nobody.

// makeTreeGit makes the git directory at the tree's root anew. Its index and references are
// those that booty works with.
func (r *Repo) makeTreeGit(head string) error {
	dir := filepath.Join(r.root, ".git")
	if err := atomicfile.RemoveAll(dir); err != nil {
		return err
	}
	for _, sub := range []string{"info", filepath.Join("objects", "info")} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	config := strings.Replace(r.own.Config(), "\tbare = true\n", "\tbare = false\n", 1)
	files := map[string]string{"HEAD": head, "config": config,
		"objects/info/alternates": filepath.ToSlash(r.own.ObjectsDir()) + "\n"}
	for _, name := range []string{"shallow", "info/exclude", "info/attributes", "info/sparse-checkout"} {
		from := r.commonDir
		if name == "info/sparse-checkout" {
			from = r.gitDir
		}
		data, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(name)))
		if err == nil {
			files[name] = string(data)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(content),
			0o644); err != nil {
			return err
		}
	}
	return errors.Join(os.Symlink(r.index.Path(), filepath.Join(dir, "index")),
		os.Symlink(filepath.Join(r.commonDir, "refs"), filepath.Join(dir, "refs")),
		os.Symlink(filepath.Join(r.commonDir, "packed-refs"), filepath.Join(dir, "packed-refs")))
}

// showHead gives the git directory at the tree's root the HEAD that booty works with.
func (r *Repo) showHead() error {
	head, err := os.ReadFile(filepath.Join(r.gitDir, "HEAD"))
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(r.root) // no link that a command has made leads out of it
	if err != nil {
		return err
	}
	defer root.Close()
	err = root.WriteFile(filepath.Join(".git", "HEAD"), head, 0o644)
	if errors.Is(err, fs.ErrNotExist) { // a command has removed it
		return nil
	}
	return err
}
