package workspace

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1" //nolint:gosec // git's own object names
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/booty-cli/booty/internal/fault"
)

// The second copy of the state before a run lies among booty's own files, where
// no command can write: one that may write to the git directory can delete
// references and objects together with the user's files. It holds what no commit
// of the user's does: a pack, and what is in it.

func (r *Repo) secondCopy(run string) string { return filepath.Join(r.ownDir(), "start-"+run) }

// second is what stands beside the pack.
type second struct {
	Refs    map[string]string `json:"refs"`
	Objects []string          `json:"objects"`
	// Head is the commit that the run began at, "" where there was none. Of it and
	// its history there is no copy.
	Head string `json:"head,omitempty"`
}

// keepSecond makes the second copy of checkpoint 0; refs are its references.
func (r *Repo) keepSecond(ctx context.Context, cp Checkpoint, head string, refs map[string]string) error {
	if r.stateDir == "" {
		return nil
	}
	what := second{Refs: refs, Head: head}
	var err error
	if what.Objects, err = r.beyond(ctx, refs, head); err != nil {
		return fmt.Errorf("keep a second copy of the state before the run: %w", err)
	}
	pack, err := r.git.run(ctx, call{
		args: []string{"pack-objects", "-q", "--stdout", "--compression=1"}, stdin: strings.NewReader(what.lines()),
		env: []string{"GIT_NO_LAZY_FETCH=1"},
	})
	path := r.secondCopy(cp.Run)
	if err == nil {
		err = writeAtomic(path+".pack", pack, 0o600)
	}
	if err == nil {
		err = writeAtomic(path+".json", []byte(mustJSON(what)), 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep a second copy of the state before the run: %w", err)
	}
	return nil
}

// allThere says that the objects of a second copy, which are sound where they are loose, are
// loose all of them, and that the tree of the commit that the run began at can be read.
func (r *Repo) allThere(what second) bool {
	st := r.store()
	for _, hash := range what.Objects {
		if !plumbing.IsHash(hash) || !st.isLoose(plumbing.NewHash(hash)) {
			return false
		}
	}
	if what.Head == "" {
		return true
	}
	_, err := st.tree(what.Head)
	return err == nil
}

// beyond lists what the commits of references lead to that head does not.
func (r *Repo) beyond(ctx context.Context, refs map[string]string, head string) ([]string, error) {
	if list, err := r.looseBeyond(ctx, refs, head); err == nil {
		return list, nil
	}
	args := []string{"rev-list", "--objects", "--missing=allow-any"}
	for _, hash := range refs {
		args = append(args, hash)
	}
	if head != "" {
		args = append(args, "^"+head)
	}
	out, err := r.git.run(ctx, call{args: args})
	if err != nil {
		return nil, err
	}
	var list []string
	for line := range strings.Lines(string(out)) {
		hash, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		list = append(list, hash)
	}
	return list, nil
}

// errNotLoose says that an object may not be here, or has a history that is not head's.
var errNotLoose = errors.New("not all of it was just written")

// looseBeyond is beyond where all of that was just written, as it is most often. What head
// has elsewhere than where it is now is listed, too.
func (r *Repo) looseBeyond(ctx context.Context, refs map[string]string, head string) ([]string, error) {
	st := r.store()
	known := ""
	if head != "" {
		c, err := st.commit(head)
		if err != nil {
			return nil, err
		}
		known = c.TreeHash.String()
	}
	w := newTrees{store: st, head: known, found: map[string]bool{}}
	for _, hash := range refs {
		c, err := st.commit(hash)
		if err != nil {
			return nil, err
		}
		if len(c.ParentHashes) > 1 || len(c.ParentHashes) == 1 && c.ParentHashes[0].String() != head {
			return nil, errNotLoose
		}
		w.found[hash] = true
		if err := w.add(ctx, c.TreeHash.String(), known); err != nil {
			return nil, err
		}
	}
	list := slices.Sorted(maps.Keys(w.found))
	for _, hash := range list {
		if !st.isLoose(plumbing.NewHash(hash)) {
			return nil, errNotLoose
		}
	}
	return list, nil
}

// newTrees finds the objects of trees that another tree does not have in the same place.
type newTrees struct {
	store store
	head  string // the tree that head has, of which there need be no copy
	found map[string]bool
}

func (w newTrees) add(ctx context.Context, tree, known string) error {
	if tree == w.head || w.found[tree] {
		return ctx.Err()
	}
	w.found[tree] = true
	t, err := w.store.tree(tree)
	if err != nil {
		return err
	}
	there := map[string]object.TreeEntry{}
	if known != "" {
		k, err := w.store.tree(known)
		if err != nil {
			return err
		}
		for _, e := range k.Entries {
			there[e.Name] = e
		}
	}
	for _, e := range t.Entries {
		was, hash := there[e.Name], e.Hash.String()
		switch {
		case e.Hash == was.Hash || hash == w.head || e.Mode == filemode.Submodule:
		case e.Mode != filemode.Dir:
			w.found[hash] = true
		default:
			below := ""
			if was.Mode == filemode.Dir {
				below = was.Hash.String()
			}
			if err := w.add(ctx, hash, below); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s second) lines() string { return strings.Join(s.Objects, "\n") + "\n" }

// dropSecond removes the second copy of a run.
func (r *Repo) dropSecond(run string) error {
	path := r.secondCopy(run)
	return errors.Join(removeFile(path+".pack"), removeFile(path+".json"))
}

// mendStart brings back from the second copy what is missing or spoilt of
// checkpoint 0.
func (r *Repo) mendStart(ctx context.Context, run string) error {
	path := r.secondCopy(run)
	data, err := os.ReadFile(path + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var what second
	if err == nil {
		err = json.Unmarshal(data, &what)
	}
	if err != nil {
		return fmt.Errorf("read the second copy of the state before the run: %w", err)
	}
	spoilt, err := r.dropSpoilt(what.Objects)
	if err != nil {
		return err
	}
	asked, headTree := what.lines(), ""
	if what.Head != "" {
		headTree = what.Head + "^{tree}"
		asked += headTree + "\n"
	}
	if !spoilt && r.allThere(what) {
		return r.mendRefs(ctx, what.Refs)
	}
	out, err := r.git.run(ctx, call{args: []string{"cat-file", "--batch-check=%(objectname)"},
		stdin: strings.NewReader(asked)})
	own, head := out, []byte(nil) // the last line is the head's
	if at := bytes.LastIndexByte(bytes.TrimSuffix(out, []byte("\n")), '\n'); at >= 0 && headTree != "" {
		own, head = out[:at+1], out[at+1:]
	}
	if err != nil || spoilt || bytes.Contains(own, []byte(" missing\n")) {
		if err := r.unpackSecond(ctx, path); err != nil {
			return err
		}
	}
	if err := r.mendRefs(ctx, what.Refs); err != nil || what.Head == "" {
		return err
	}
	if len(head) > 0 && !bytes.HasSuffix(head, []byte(" missing\n")) {
		return nil
	}
	if _, err := r.git.run(ctx, call{args: []string{"cat-file", "-e", headTree}}); err != nil {
		return fault.New(fault.Git, "git fsck says what is missing, git fetch or another clone may have it",
			"a command has destroyed the commit that the run began at, %.10s: %w", what.Head, err)
	}
	return nil
}

// unpackSecond brings the objects of a second copy back.
func (r *Repo) unpackSecond(ctx context.Context, path string) error {
	pack, err := os.Open(path + ".pack")
	if err != nil {
		return fmt.Errorf("read the second copy of the state before the run: %w", err)
	}
	defer func() { _ = pack.Close() }()
	if _, err := r.git.run(ctx, call{args: []string{"unpack-objects", "-q"}, stdin: pack}); err != nil {
		return fmt.Errorf("bring back the state before the run: %w", err)
	}
	return nil
}

// mendRefs sets the references of checkpoint 0 where they are gone; it is the
// seal's to see that they are right.
func (r *Repo) mendRefs(ctx context.Context, refs map[string]string) error {
	st := r.store()
	for name, hash := range refs {
		if now, err := st.ref(name); err != nil || now != "" {
			continue
		}
		if err := r.updateRefs(ctx, refChange{name, hash, ""}); err != nil {
			return err
		}
	}
	return nil
}

// dropSpoilt removes loose objects that are not what they are called: git would
// not let another take their place.
func (r *Repo) dropSpoilt(hashes []string) (any bool, err error) {
	for _, hash := range hashes {
		if len(hash) != 40 {
			continue
		}
		path := filepath.Join(r.commonDir, "objects", hash[:2], hash[2:])
		if dir, err := os.Lstat(filepath.Dir(path)); err == nil && !dir.IsDir() {
			any = true
			if err := os.Remove(filepath.Dir(path)); err != nil {
				return any, fmt.Errorf("remove what stands in place of objects: %w", err)
			}
		}
		info, err := os.Lstat(path)
		if err != nil || info.Mode().IsRegular() && looseSum(path) == hash {
			continue
		}
		any = true
		if err := os.RemoveAll(path); err != nil {
			return any, fmt.Errorf("remove a spoilt object: %w", err)
		}
	}
	return any, nil
}

// looseSum is the name that a loose object should have, "" where it is none.
func looseSum(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	z, err := zlib.NewReader(f)
	if err != nil {
		return ""
	}
	h := sha1.New() //nolint:gosec // git's own object names
	if _, err := io.Copy(h, z); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
