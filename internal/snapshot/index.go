package snapshot

import (
	"bytes"
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/git"
)

// record brings the shadow's index up to what lies on disk, and the bytes into
// the repository.
func (s *shadow) record(ctx context.Context, d *drift, also []string) error {
	var gone, here bytes.Buffer
	for path, p := range d.changed {
		if p.Is.Present() {
			here.WriteString(path + "\x00")
		} else {
			gone.WriteString("0 " + git.NoObject + "\t" + path + "\x00")
		}
	}
	for _, path := range append(d.touched, also...) {
		here.WriteString(path + "\x00")
	}
	if gone.Len() > 0 {
		if _, err := s.git.Run(ctx,
			git.Call{Args: []string{"update-index", "-z", "--index-info"}, Stdin: &gone}); err != nil {
			return fmt.Errorf("record the work tree: %w", err)
		}
	}
	if here.Len() == 0 {
		return nil
	}
	_, err := s.git.Run(ctx, git.Call{Args: []string{"update-index", "--add", "--remove", "--replace", "-z",
		"--stdin"}, Stdin: &here})
	if err != nil {
		return fmt.Errorf("record the work tree: %w", err)
	}
	return nil
}

// forced gives files that git tracks although it ignores them, and that the shadow's
// index does not know: they were staged, or came with a commit, since it was made.
func (s *shadow) forced(ctx context.Context) ([]string, error) {
	out, err := s.at.Git.Run(ctx,
		git.Call{Args: []string{"ls-files", "-z", "--cached", "--ignored", "--exclude-standard"}})
	if err != nil {
		return nil, fmt.Errorf("look for tracked files that git ignores: %w", err)
	}
	paths := git.SplitNul(out)
	if len(paths) == 0 {
		return nil, nil
	}
	all, err := s.git.IndexEntries(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, e := range all {
		known[e.Path] = true
	}
	var unknown []string
	for _, path := range paths {
		if now, why := OnDisk(s.at.Root, path, 0); !known[path] && why == "" && now.Present() {
			unknown = append(unknown, path)
		}
	}
	return unknown, nil
}

// readTree makes the shadow's index that of a tree. Files keep their stat data.
func (s *shadow) readTree(ctx context.Context, tree string) error {
	if _, err := s.git.Run(ctx, git.Call{Args: []string{"read-tree", "-i", "-m", tree}}); err != nil {
		return fmt.Errorf("follow the restored files: %w", err)
	}
	return nil
}

// refresh notes the stat data of files that were written or touched.
func (s *shadow) refresh(ctx context.Context, moves []Move, d *drift) error {
	var paths bytes.Buffer
	for _, m := range moves {
		if m.Want.Present() {
			paths.WriteString(m.Path + "\x00")
		}
	}
	for _, path := range d.touched {
		paths.WriteString(path + "\x00")
	}
	if paths.Len() == 0 {
		return nil
	}
	_, err := s.git.Run(ctx, git.Call{Args: []string{"update-index", "--add", "--remove", "--replace", "-z",
		"--stdin"}, Stdin: &paths})
	return err
}

// since is how the shadow's index differs from a tree. Git compares the index itself: parts of the
// tree that it was recorded as may have gone with the user's repository.
func (s *shadow) since(ctx context.Context, tree string) (map[string]git.Pair, error) {
	out, err := s.git.Run(ctx, git.Call{Args: []string{"diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames",
		"--ignore-submodules=all", tree}})
	if err != nil {
		return nil, err
	}
	return git.ParseRaw(out)
}

// writeTree writes what the index holds as a tree.
func (s *shadow) writeTree(ctx context.Context) (string, error) {
	return s.git.Text(ctx, "write-tree", "--missing-ok")
}
