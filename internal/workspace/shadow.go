package workspace

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
)

// shadow is booty's own git directory beside the user's: same objects, same
// work tree, but an index of its own, and attributes that switch every
// conversion off, so that its blobs are the bytes on disk. Its index, with the
// stat data in it, makes the second look at the tree a matter of stat calls.
type shadow struct {
	git   git.Client
	dir   string
	index string
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
	splitIndex = false
	preloadIndex = true
	untrackedCache = false
[index]
	sparse = false
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

// openShadow makes the shadow ready. The caller holds r.mu.
func (r *Repo) openShadow(ctx context.Context) (*shadow, error) {
	if r.shadow != nil {
		return r.shadow, nil
	}
	if err := r.own.Make(); err != nil {
		return nil, err
	}
	dir := filepath.Join(r.own.Private(), "shadow")
	for _, sub := range []string{"info", "refs", "objects"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, fault.New(fault.Refused, "make it writable",
				"keep booty's own files of the work tree: %w", err)
		}
	}
	settings, err := r.inheritedConfig()
	if err != nil {
		return nil, err
	}
	exclude, err := os.ReadFile(filepath.Join(r.commonDir, "info", "exclude"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read the repository's exclude file: %w", err)
	}
	for name, content := range map[string]string{
		"HEAD": "ref: refs/heads/none\n", "config": shadowConfig + settings,
		"info/attributes": shadowAttributes, "info/exclude": string(exclude),
	} {
		if err := atomicfile.Keep(filepath.Join(dir, filepath.FromSlash(name)), content); err != nil {
			return nil, fmt.Errorf("prepare the snapshot index: %w", err)
		}
	}
	s := &shadow{git: r.git, dir: dir, index: filepath.Join(dir, "index")}
	s.git.Env = append(git.WithoutSettings(r.free), "GIT_DIR="+dir, "GIT_COMMON_DIR="+dir, "GIT_WORK_TREE="+r.root,
		"GIT_OBJECT_DIRECTORY="+r.own.ObjectsDir(), "GIT_INDEX_FILE="+s.index)
	// Only this process uses the shadow: a lock file in it is a dead one's.
	if err := atomicfile.Remove(s.index + ".lock"); err != nil {
		return nil, fmt.Errorf("prepare the snapshot index: %w", err)
	}
	if err := r.seed(ctx, s); err != nil {
		return nil, err
	}
	r.shadow = s
	return s, nil
}

// inheritedConfig renders the user's settings for the shadow's config.
func (r *Repo) inheritedConfig() (string, error) {
	var b strings.Builder
	// No hook has a part in booty's own index, wherever the user keeps them.
	fmt.Fprintf(&b, "[core]\n\thooksPath = %s\n", git.Quote(r.own.NoHooks()))
	fmt.Fprintf(&b, "[core]\n\tfilemode = %t\n\tignorecase = %t\n", runtime.GOOS != "windows",
		r.caseInsensitive())
	for _, key := range inherited {
		if v := git.ValueOf(r.settings, key); v != "" {
			fmt.Fprintf(&b, "[core]\n\t%s = %s\n", strings.TrimPrefix(key, "core."), git.Quote(v))
		}
	}
	if sparse, err := os.ReadFile(filepath.Join(r.gitDir, "info", "sparse-checkout")); err == nil {
		if err := atomicfile.Keep(filepath.Join(r.own.Private(), "shadow", "info", "sparse-checkout"),
			string(sparse)); err != nil {
			return "", fmt.Errorf("prepare the snapshot index: %w", err)
		}
	}
	return b.String(), nil
}

// anchor names the checkpoint that the shadow's index was recorded as. While
// that reference stands, none of the index's objects can have been collected.
func (s *shadow) anchor() string { return filepath.Join(s.dir, "anchor") }

// anchored gives the tree that the shadow's index stands for, "" if unknown.
func (r *Repo) anchored(s *shadow) string {
	data, err := os.ReadFile(s.anchor())
	if err != nil {
		return ""
	}
	f := strings.Fields(string(data)) // ref, commit, tree
	if len(f) != 3 {
		return ""
	}
	if now, err := r.own.Objects().Ref(f[0]); err != nil || now != f[1] {
		return ""
	}
	return f[2]
}

// forgetIndex has the next look at the checkout read every file. The index names objects of
// the user's repository, which git gc removes, or the user with the repository.
func (r *Repo) forgetIndex() error {
	dir := filepath.Join(r.own.Private(), "shadow")
	s := &shadow{dir: dir, index: filepath.Join(dir, "index")}
	return errors.Join(atomicfile.Remove(s.anchor()), atomicfile.Remove(s.index))
}

// seed makes the first index of the shadow from the commit that is checked out, unless
// the last checkpoint's is still good. Git reads each file for it, once.
func (r *Repo) seed(ctx context.Context, s *shadow) error {
	if _, err := os.Stat(s.index); err == nil && r.anchored(s) != "" {
		return nil
	}
	if err := r.forgetIndex(); err != nil {
		return fmt.Errorf("prepare the snapshot index: %w", err)
	}
	_, head, err := r.Head(ctx)
	if err != nil || head == "" {
		return err
	}
	if _, err = s.git.Run(ctx, git.Call{Args: []string{"read-tree", head}}); err == nil {
		err = r.skipLeftOut(ctx, s)
	}
	if err == nil {
		_, err = s.git.Run(ctx, git.Call{Args: []string{"update-index", "-q", "--refresh"}})
	}
	if err != nil && git.ExitCode(err) != 1 { // some files differ
		return fmt.Errorf("prepare the snapshot index: %w", err)
	}
	return nil
}

// skipped gives the files that a sparse checkout need not have, by the user's index.
func (r *Repo) skipped(ctx context.Context) ([]string, error) {
	if !git.IsTrue(git.ValueOf(r.settings, "core.sparsecheckout")) {
		return nil, nil
	}
	out, err := r.git.Run(ctx, git.Call{Args: []string{"ls-files", "-t", "-z"}})
	var list []string
	for _, entry := range git.SplitNul(out) {
		if path, ok := strings.CutPrefix(entry, "S "); ok {
			list = append(list, path)
		}
	}
	return list, err
}

// skipLeftOut marks the files that a sparse checkout leaves out: they are not gone.
func (r *Repo) skipLeftOut(ctx context.Context, s *shadow) error {
	skipped, err := r.skipped(ctx)
	if err != nil || len(skipped) == 0 {
		return err
	}
	all, err := s.git.IndexEntries(ctx)
	if err != nil {
		return err
	}
	left := map[string]bool{}
	for _, e := range all {
		_, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(e.Path)))
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
