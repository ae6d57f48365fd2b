package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
)

// shadow is booty's own git directory beside the user's: same objects, same
// work tree, but an index of its own, and attributes that switch every
// conversion off, so that its blobs are the bytes on disk. Its index, with the
// stat data in it, makes the second look at the tree a matter of stat calls.
type shadow struct {
	runner
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
	if err := r.makeOwnDir(); err != nil {
		return nil, err
	}
	dir := filepath.Join(r.ownDir(), "shadow")
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
		if err := keepFile(filepath.Join(dir, filepath.FromSlash(name)), content); err != nil {
			return nil, fmt.Errorf("prepare the snapshot index: %w", err)
		}
	}
	s := &shadow{runner: r.git, dir: dir, index: filepath.Join(dir, "index")}
	s.env = append(withoutSettings(r.free), "GIT_DIR="+dir, "GIT_COMMON_DIR="+dir, "GIT_WORK_TREE="+r.root,
		"GIT_OBJECT_DIRECTORY="+r.sideObjects(), "GIT_INDEX_FILE="+s.index)
	// Only this process uses the shadow: a lock file in it is a dead one's.
	if err := removeFile(s.index + ".lock"); err != nil {
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
	fmt.Fprintf(&b, "[core]\n\thooksPath = %s\n", quoteConfig(r.noHooks()))
	fmt.Fprintf(&b, "[core]\n\tfilemode = %t\n\tignorecase = %t\n", runtime.GOOS != "windows", r.CaseInsensitive())
	for _, key := range inherited {
		if v := valueOf(r.settings, key); v != "" {
			fmt.Fprintf(&b, "[core]\n\t%s = %s\n", strings.TrimPrefix(key, "core."), quoteConfig(v))
		}
	}
	if sparse, err := os.ReadFile(filepath.Join(r.gitDir, "info", "sparse-checkout")); err == nil {
		if err := keepFile(filepath.Join(r.ownDir(), "shadow", "info", "sparse-checkout"), string(sparse)); err != nil {
			return "", fmt.Errorf("prepare the snapshot index: %w", err)
		}
	}
	return b.String(), nil
}

// noHooks is a directory of hooks that does not exist.
func (r *Repo) noHooks() string { return filepath.Join(r.ownDir(), "no-hooks") }

func quoteConfig(v string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(v) + `"`
}

// keepFile writes content to path unless it stands there already.
func keepFile(path, content string) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == content {
		return nil
	}
	return atomicfile.Write(path, []byte(content), 0o644)
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
	if now, err := r.store().ref(f[0]); err != nil || now != f[1] {
		return ""
	}
	return f[2]
}

// seed makes the first index of the shadow from the user's, which spares
// hashing the whole tree; unless the last checkpoint's is still good.
func (r *Repo) seed(ctx context.Context, s *shadow) error {
	if _, err := os.Stat(s.index); err == nil && r.anchored(s) != "" {
		return nil
	}
	if err := errors.Join(removeFile(s.anchor()), removeFile(s.index)); err != nil {
		return fmt.Errorf("prepare the snapshot index: %w", err)
	}
	source, err := r.indexCopy(ctx)
	if err != nil || source == "" {
		return err
	}
	if err := os.Rename(source, s.index); err != nil {
		return fmt.Errorf("prepare the snapshot index: %w", err)
	}
	if err := s.clearFlags(ctx, r.root); err != nil {
		return err
	}
	return r.distrustConverted(ctx, s)
}

// indexCopy copies the user's index to a file of booty's own, "" where there
// is none. The copy keeps its time: git compares it with those of the files to
// know which it may not trust.
func (r *Repo) indexCopy(ctx context.Context) (string, error) {
	return r.copyOfIndex(ctx, filepath.Join(r.gitDir, "index"))
}

func (r *Repo) copyOfIndex(ctx context.Context, path string) (string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the index: %w", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the index: %w", err)
	}
	tmp, err := os.CreateTemp(r.ownDir(), "index-*")
	if err != nil {
		return "", fmt.Errorf("copy the index: %w", err)
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Close(), os.Chtimes(tmp.Name(), info.ModTime(), info.ModTime()))
	if err == nil && bytes.Contains(data, []byte("link")) {
		err = r.joinSplitIndex(ctx, tmp.Name())
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return "", fmt.Errorf("copy the index: %w", err)
	}
	return tmp.Name(), nil
}

// joinSplitIndex makes a copied index stand alone, if it was a split one.
func (r *Repo) joinSplitIndex(ctx context.Context, path string) error {
	shared, err := r.git.text(ctx, "rev-parse", "--shared-index-path")
	if err != nil || shared == "" {
		return err
	}
	_, err = r.git.run(ctx, call{
		args: []string{"-c", "core.splitIndex=false", "update-index", "--no-split-index", "--force-write-index"},
		env:  []string{"GIT_INDEX_FILE=" + path},
	})
	return err
}

// clearFlags takes away the marks by which git is told not to look at a file:
// a checkpoint has to look. Files left out by a sparse checkout keep theirs.
func (s *shadow) clearFlags(ctx context.Context, root string) error {
	out, err := s.run(ctx, call{args: []string{"ls-files", "-v", "-z"}})
	if err != nil {
		return fmt.Errorf("read the snapshot index: %w", err)
	}
	var assumed, skipped bytes.Buffer
	var conflicts []string
	for _, entry := range splitNul(out) {
		tag, path, _ := strings.Cut(entry, " ")
		if tag == "S" || tag == "s" {
			if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path))); err == nil {
				skipped.WriteString(path + "\x00")
			}
		}
		if strings.EqualFold(tag, "M") && !slices.Contains(conflicts, path) {
			conflicts = append(conflicts, path)
		}
		if tag != strings.ToUpper(tag) {
			assumed.WriteString(path + "\x00")
		}
	}
	for flag, list := range map[string]*bytes.Buffer{"--no-assume-unchanged": &assumed, "--no-skip-worktree": &skipped} {
		if list.Len() == 0 {
			continue
		}
		if _, err := s.run(ctx, call{args: []string{"update-index", flag, "-z", "--stdin"}, stdin: list}); err != nil {
			return fmt.Errorf("prepare the snapshot index: %w", err)
		}
	}
	return s.settle(ctx, root, conflicts)
}

// settle makes plain entries of paths in conflict: a checkpoint knows only
// what lies on disk.
func (s *shadow) settle(ctx context.Context, root string, conflicts []string) error {
	d := &drift{changed: map[string]pair{}}
	for _, path := range conflicts {
		is, _ := stateOf(root, path, 0)
		d.changed[path] = pair{is: is}
	}
	return s.record(ctx, d, nil)
}

// distrustConverted forgets the stat data of files whose blob may differ from
// their bytes on disk (line ends, filters, encodings), so that they are hashed
// anew. Where only line ends can differ, the size tells.
func (r *Repo) distrustConverted(ctx context.Context, s *shadow) error {
	all, err := s.listed(ctx)
	if err != nil {
		return fmt.Errorf("read the snapshot index: %w", err)
	}
	var names, hashes bytes.Buffer
	var list []indexEntry
	var lengths []int64 // on disk
	for _, e := range all {
		info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(e.path)))
		if err == nil && (e.mode == modeFile || e.mode == modeExec) {
			list, lengths = append(list, e), append(lengths, info.Size())
			names.WriteString(e.path + "\x00")
			hashes.WriteString(e.hash + "\n")
		}
	}
	if len(list) == 0 {
		return nil
	}
	filtered, err := r.filtered(ctx, &names)
	if err != nil {
		return err
	}
	sizes, err := r.git.run(ctx, call{args: []string{"cat-file", "--batch-check=%(objectsize)", "--buffer"},
		stdin: &hashes})
	if err != nil {
		return fmt.Errorf("read sizes of tracked files: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(sizes), "\n"), "\n")
	if len(lines) != len(list) {
		return fmt.Errorf("read sizes of tracked files: %d answers for %d files", len(lines), len(list))
	}
	var distrusted bytes.Buffer
	for i, e := range list {
		if size, err := strconv.ParseInt(lines[i], 10, 64); err != nil || size != lengths[i] || filtered[e.path] {
			fmt.Fprintf(&distrusted, "%o %s 0\t%s\x00", e.mode, e.hash, e.path)
		}
	}
	if distrusted.Len() == 0 {
		return nil
	}
	if _, err := s.run(ctx, call{args: []string{"update-index", "-z", "--index-info"}, stdin: &distrusted}); err != nil {
		return fmt.Errorf("prepare the snapshot index: %w", err)
	}
	return nil
}

// filtered tells which of the paths have conversions that can keep the size.
func (r *Repo) filtered(ctx context.Context, names *bytes.Buffer) (map[string]bool, error) {
	out, err := r.git.run(ctx, call{
		args:  []string{"check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"},
		stdin: bytes.NewReader(names.Bytes()),
	})
	if err != nil {
		return nil, fmt.Errorf("read git attributes: %w", err)
	}
	found := map[string]bool{}
	f := splitNul(out)
	for i := 0; i+2 < len(f); i += 3 {
		if v := f[i+2]; v != "unspecified" && v != "unset" {
			found[f[i]] = true
		}
	}
	return found, nil
}
