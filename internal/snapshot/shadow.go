package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// shadow is booty's own git directory beside the user's: same objects, same
// work tree, but an index of its own, and attributes that switch every
// conversion off, so that its blobs are the bytes on disk. Its index, with the
// stat data in it, makes the second look at the tree a matter of stat calls.
type shadow struct {
	at    Place
	git   git.Client
	dir   string
	index string
	// seeded is the tree that the index was made of, until the index changes; "" for none. It is
	// kept only in memory.
	seeded string
}

// shadowAttributes come before those of the repository. "!" makes an attribute
// unspecified, as if nothing had ever set it.
const shadowAttributes = "* -text !eol !crlf !ident !filter !working-tree-encoding\n"

// shadowConfig: durable objects, no helpers of any kind, raw bytes. The index
// is not synced: it can be made again, see scan.
const shadowConfig = `[core]
	repositoryformatversion = 0
	bare = false
	logallrefupdates = false
	autocrlf = false
	safecrlf = false
	fsync = objects,reference
	fsyncMethod = batch
	looseCompression = 1
	fsmonitor = false
	ignoreStat = false
	splitIndex = false
	preloadIndex = true
	untrackedCache = false
[index]
	sparse = false
	skipHash = false
	version = 4
[gc]
	auto = 0
[maintenance]
	auto = false
[advice]
	addEmbeddedRepo = false
`

// inherited are the user's settings that decide what a file is, rather than
// how its bytes are converted.
// core.fileMode and core.ignoreCase are not among them: the file system itself
// is asked, so that a wrong setting hides no file.
var inherited = []string{"core.symlinks", "core.precomposeunicode",
	"core.protecthfs", "core.protectntfs", "core.excludesfile", "core.sparsecheckout", "core.sparsecheckoutcone",
	"core.sharedrepository", "core.longpaths"}

func newShadow(at Place) *shadow {
	dir := filepath.Join(at.Store.Private(), "shadow")
	s := &shadow{at: at, git: at.Git, dir: dir, index: filepath.Join(dir, "index")}
	s.git.Env = append(git.WithoutSettings(at.Free), "GIT_DIR="+dir, "GIT_COMMON_DIR="+dir, "GIT_WORK_TREE="+at.Root,
		"GIT_OBJECT_DIRECTORY="+at.Store.ObjectsDir(), "GIT_INDEX_FILE="+s.index)
	return s
}

// prepare makes the shadow ready.
func (s *shadow) prepare(ctx context.Context) error {
	if err := s.at.Store.Make(); err != nil {
		return err
	}
	for _, sub := range []string{"info", "refs", "objects"} {
		if err := os.MkdirAll(filepath.Join(s.dir, sub), 0o755); err != nil {
			return fault.New(fault.Refused, "make it writable",
				"keep booty's own files of the work tree: %w", err)
		}
	}
	settings, err := s.inheritedConfig()
	if err != nil {
		return err
	}
	exclude, err := os.ReadFile(filepath.Join(s.at.CommonDir, "info", "exclude"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read the repository's exclude file: %w", err)
	}
	for name, content := range map[string]string{
		"HEAD": "ref: refs/heads/none\n", "config": shadowConfig + settings,
		"info/attributes": shadowAttributes, "info/exclude": string(exclude),
	} {
		if err := atomicfile.Keep(filepath.Join(s.dir, filepath.FromSlash(name)), content); err != nil {
			return fmt.Errorf("prepare the snapshot index: %w", err)
		}
	}
	// Only this process uses the shadow: a lock file in it is a dead one's.
	if err := atomicfile.Remove(s.index + ".lock"); err != nil {
		return fmt.Errorf("prepare the snapshot index: %w", err)
	}
	return s.seed(ctx)
}

// inheritedConfig renders the user's settings for the shadow's config.
func (s *shadow) inheritedConfig() (string, error) {
	var b strings.Builder
	// No hook has a part in booty's own index, wherever the user keeps them.
	fmt.Fprintf(&b, "[core]\n\thooksPath = %s\n", git.Quote(s.at.Store.NoHooks()))
	fmt.Fprintf(&b, "[core]\n\tfilemode = %t\n\tignorecase = %t\n", runtime.GOOS != "windows",
		caseInsensitive(s.at.GitDir))
	for _, key := range inherited {
		if v := git.ValueOf(s.at.Settings, key); v != "" {
			fmt.Fprintf(&b, "[core]\n\t%s = %s\n", strings.TrimPrefix(key, "core."), git.Quote(v))
		}
	}
	if sparse, err := os.ReadFile(filepath.Join(s.at.GitDir, "info", "sparse-checkout")); err == nil {
		if err := atomicfile.Keep(filepath.Join(s.dir, "info", "sparse-checkout"),
			string(sparse)); err != nil {
			return "", fmt.Errorf("prepare the snapshot index: %w", err)
		}
	}
	return b.String(), nil
}

// anchor names the checkpoint that the shadow's index was recorded as. While
// that reference stands, none of the index's objects can have been collected.
func (s *shadow) anchor() string { return filepath.Join(s.dir, "anchor") }

// tree gives the tree that the shadow's index stands for, "" if unknown.
func (s *shadow) tree() string {
	if s.seeded != "" {
		return s.seeded
	}
	data, err := os.ReadFile(s.anchor())
	if err != nil {
		return ""
	}
	f := strings.Fields(string(data)) // ref, commit, tree
	if len(f) != 3 {
		return ""
	}
	if now, err := s.at.Store.Objects().Ref(f[0]); err != nil || now != f[1] {
		return ""
	}
	return f[2]
}

// unanchor is called before the index changes: it stands for nothing then.
func (s *shadow) unanchor() error {
	s.seeded = ""
	return atomicfile.Remove(s.anchor())
}

// anchorTo notes the reference, commit and tree that the index stands for from now on.
func (s *shadow) anchorTo(ref, commit, tree string) error {
	s.seeded = ""
	return atomicfile.Keep(s.anchor(), ref+" "+commit+" "+tree+"\n")
}

// forget has the next look at the checkout read every file. The index names objects of
// the user's repository, which git gc removes, or the user with the repository.
func (s *shadow) forget() error {
	return errors.Join(s.unanchor(), atomicfile.Remove(s.index))
}

// seed makes the first index of the shadow from the commit that is checked out, unless
// the last checkpoint's is still good. Each file is read for it, once.
func (s *shadow) seed(ctx context.Context) error {
	if _, err := os.Stat(s.index); err == nil && s.tree() != "" {
		return nil
	}
	if err := s.forget(); err != nil {
		return fmt.Errorf("prepare the snapshot index: %w", err)
	}
	_, head, err := s.at.Store.Objects().Head()
	if err != nil || head == "" {
		return err
	}
	c, err := s.at.Store.Objects().Commit(head)
	if err != nil {
		return err
	}
	_, err = s.git.Run(ctx, git.Call{Args: []string{"read-tree", head}})
	if err == nil {
		err = s.skipLeftOut(ctx)
	}
	if err == nil {
		err = s.noteUnchanged(ctx)
	}
	if err != nil {
		return fmt.Errorf("prepare the snapshot index: %w", err)
	}
	s.seeded = c.TreeHash.String()
	return nil
}

// standFor notes that the index is that of a checkpoint, which is kept as long.
func (s *shadow) standFor(cp Checkpoint) error {
	ref := store.TreeRefs + s.at.Name
	if err := s.at.Store.SetRef(ref, cp.Commit); err != nil {
		return err
	}
	return s.anchorTo(ref, cp.Commit, cp.Tree)
}

// skipLeftOut marks the files that a sparse checkout leaves out: they are not gone.
func (s *shadow) skipLeftOut(ctx context.Context) error {
	skipped, err := s.at.Git.Skipped(ctx, s.at.Settings)
	if err != nil || len(skipped) == 0 {
		return err
	}
	all, err := s.git.IndexEntries(ctx)
	if err != nil {
		return err
	}
	left := map[string]bool{}
	for _, e := range all {
		_, err := os.Lstat(filepath.Join(s.at.Root, filepath.FromSlash(e.Path)))
		left[e.Path] = err != nil
	}
	var list strings.Builder
	for _, path := range skipped {
		if left[path] {
			list.WriteString(path + "\x00")
		}
	}
	_, err = s.git.Run(ctx, git.Call{Args: []string{"update-index", "--skip-worktree", "-z", "--stdin"},
		Stdin: strings.NewReader(list.String())})
	return err
}

// caseInsensitive reports whether names that differ in case alone are one file
// here, by the file system itself.
func caseInsensitive(gitDir string) bool {
	a, err := os.Stat(filepath.Join(gitDir, "HEAD"))
	if err != nil {
		return false
	}
	b, err := os.Stat(filepath.Join(gitDir, "hEAD"))
	return err == nil && os.SameFile(a, b)
}
