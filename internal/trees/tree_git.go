package trees

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
func (t *Tree) makeTreeGit(head string) error {
	dir := filepath.Join(t.at.Root, ".git")
	if err := atomicfile.RemoveAll(dir); err != nil {
		return err
	}
	for _, sub := range []string{"info", filepath.Join("objects", "info")} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	config := strings.Replace(t.at.Store.Config(), "\tbare = true\n", "\tbare = false\n", 1)
	files := map[string]string{"HEAD": head, "config": config,
		"objects/info/alternates": filepath.ToSlash(t.at.Store.ObjectsDir()) + "\n"}
	for _, name := range []string{"shallow", "info/exclude", "info/attributes", "info/sparse-checkout"} {
		from := t.at.CommonDir
		if name == "info/sparse-checkout" {
			from = t.at.GitDir
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
	return errors.Join(os.Symlink(t.index(), filepath.Join(dir, "index")),
		os.Symlink(filepath.Join(t.at.CommonDir, "refs"), filepath.Join(dir, "refs")),
		os.Symlink(filepath.Join(t.at.CommonDir, "packed-refs"), filepath.Join(dir, "packed-refs")))
}

// ShowHead gives the git directory at the root of a tree the HEAD that booty works with.
func ShowHead(root, gitDir string) error {
	head, err := os.ReadFile(filepath.Join(gitDir, "HEAD"))
	if err != nil {
		return err
	}
	top, err := os.OpenRoot(root) // no link that a command has made leads out of it
	if err != nil {
		return err
	}
	defer top.Close()
	err = top.WriteFile(filepath.Join(".git", "HEAD"), head, 0o644)
	if errors.Is(err, fs.ErrNotExist) { // a command has removed it
		return nil
	}
	return err
}

func (t *Tree) showHead() error { return ShowHead(t.at.Root, t.at.GitDir) }
