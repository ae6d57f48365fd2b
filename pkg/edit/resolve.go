package edit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
)

// Resolve works the edits of a reply out against the files as they stand. The
// changes are sorted by path and each file occurs once, however many edits
// name it: they are applied in the order of the reply. Edits that alter
// nothing give no change. What stands in the problems, those of parsing among
// them, could not be applied; with any but [Protected] ones the caller should
// apply nothing.
//
// Edits are written with LF; a file keeps its own line ends, its byte order
// mark (unless a block quotes it and leaves it out), its missing final newline
// and its mode, and bytes that no edit names stay as they are.
func Resolve(fsys FS, r Reply) ([]Change, []Problem) {
	t := &tree{fsys: fsys, orig: make(map[string]*node), now: make(map[string]*node)}
	problems := slices.Clone(r.Problems)
	if r.Truncated {
		problems = append(problems, Problem{Reason: endsInside(r.cut)})
	}
	touched, refused, unclear := t.applyAll(r.Edits)
	problems = append(problems, refused...)
	changes := t.changes()
	for _, c := range changes {
		if reason := t.misplaced(c, touched[c.Path], changes); reason != "" {
			problems = append(problems, Problem{Path: c.Path, Reason: reason})
			continue
		}
		for _, reason := range inspect(c, touched[c.Path]) {
			problems = append(problems, Problem{Path: c.Path, Reason: reason})
		}
	}
	for _, u := range hidden(unclear, changes) {
		problems = append(problems, problemOf(u.Path, u))
	}
	problems = append(problems, t.meant(r.mentions, touched, changes)...)
	problems = append(problems, t.undone(r.deeds, touched)...)
	if len(problems) > 1 && len(r.Edits) == 0 && problems[0].Reason == expected {
		problems = problems[1:] // what follows says more
	}
	if len(touched) == 0 && len(problems) == 0 {
		problems = append(problems, r.otherwise...)
	}
	return changes, problems
}

func endsInside(cut string) string {
	if cut == "" {
		return "the reply ends in the middle of an edit, so it is not applied"
	}
	return "the reply ends in the middle of an edit, so it is not applied: " + cut
}

// applyAll lays edits over the tree and says which touched a path, by the path
// that they ended up at.
func (t *tree) applyAll(edits []Edit) (touched map[string][]Edit, problems []Problem, unclear []unplaced) {
	firm := make(map[string]bool)
	for _, e := range edits {
		if !e.loose && !e.Tentative {
			firm[e.Path] = true
		}
	}
	touched = make(map[string][]Edit)
	for _, e := range edits {
		is, err := true, error(nil)
		if e.Tentative {
			e, is, err = t.settle(e)
		}
		if e.loose && firm[e.Path] {
			continue // an excerpt shown on the way to the real edit
		}
		if e.part {
			if _, n, err := t.locate(e.Path); err == nil && n.quotes(e.Content) {
				continue
			}
		}
		if earlier := touched[e.Path]; e.wished && is && err == nil && len(earlier) > 0 {
			err = fmt.Errorf("the reply both changes %s, at line %d, and deletes it at line %d: do one of them", e.Path,
				earlier[0].Line, e.Line)
		}
		var p string
		if is && err == nil {
			p, err = t.apply(e)
		}
		var u unplaced
		switch {
		case errors.As(err, &u):
			unclear = append(unclear, u)
		case err != nil:
			problems = append(problems, problemOf(e.Path, err))
		case is:
			touched[p] = append(touched[p], e)
		}
	}
	return touched, problems, unclear
}

// node is a file at some moment; nil stands for none.
type node struct {
	origin string // the path it had in the file system, "" for a new one
	data   []byte
	mode   fs.FileMode
}

// tree is the file system with the edits so far laid over it.
type tree struct {
	fsys FS
	orig map[string]*node // as read, nil where absent
	now  map[string]*node

	list   []string // see files
	listed bool
}

// file reads a file once.
func (t *tree) file(p string) (*node, error) {
	if n, ok := t.now[p]; ok {
		return n, nil
	}
	info, err := t.fsys.Stat(p)
	if absent(err) {
		t.orig[p], t.now[p] = nil, nil
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(p, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", p)
	}
	data, err := t.fsys.ReadFile(p)
	if err != nil {
		return nil, unreadable(p, err)
	}
	n := &node{origin: p, data: data, mode: info.Mode().Perm()}
	t.orig[p], t.now[p] = n, n
	return n, nil
}

func unreadable(p string, err error) error {
	if errors.Is(err, ErrOutside) {
		return fmt.Errorf("%s %w", p, err)
	}
	return fmt.Errorf("%s cannot be read: %w", p, err)
}

// valid cleans a path of the reply. What is absolute anywhere, or leads
// upwards, is outside.
func valid(p string) (string, error) {
	clean := path.Clean(p)
	if path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") || len(clean) > 1 &&
		clean[1] == ':' || strings.HasPrefix(clean, `\\`) {
		return "", fmt.Errorf("%q %w", p, ErrOutside)
	}
	if !fs.ValidPath(clean) || clean == "." || strings.ContainsRune(p, 0) || strings.HasSuffix(p, "/") {
		return "", fmt.Errorf("%q is not the path of a file", p)
	}
	return clean, nil
}

// locate turns a path of the reply into one of the tree. An a/ or b/ in front
// is dropped where only the path without it exists.
func (t *tree) locate(p string) (string, *node, error) {
	if p == "" {
		return "", nil, errors.New("the edit names no file")
	}
	p, err := t.relative(p)
	if err != nil {
		return "", nil, err
	}
	clean, err := valid(p)
	if err != nil {
		return "", nil, err
	}
	n, err := t.file(clean)
	if err != nil || n != nil {
		return clean, n, err
	}
	if rest, ok := cutDiffPrefix(clean); ok {
		if _, err := t.fsys.Stat(clean[:1]); absent(err) {
			if n, err := t.file(rest); err == nil && n != nil {
				return rest, n, nil
			}
		}
	}
	return clean, nil, nil
}

func cutDiffPrefix(p string) (string, bool) {
	if rest, ok := strings.CutPrefix(p, "a/"); ok && rest != "" {
		return rest, true
	}
	rest, ok := strings.CutPrefix(p, "b/")
	return rest, ok && rest != ""
}

// apply lays one edit over the tree and returns the path it ended up at.
func (t *tree) apply(e Edit) (string, error) {
	if e.From != "" {
		p, err := t.move(e.From, e.Path)
		if err != nil || e.Kind == Move {
			return p, err
		}
	}
	p, n, err := t.locate(e.Path)
	if err != nil {
		return "", err
	}
	switch e.Kind {
	case Remove:
		if n == nil {
			return "", fmt.Errorf("%s cannot be deleted: there is no such file%s", p, t.didYouMean(p))
		}
		t.now[p] = nil
		return p, nil
	case Move:
		return "", errors.New("a rename needs the old path and the new one")
	case Whole, Replace, Diff, Patch:
	default:
		return "", fmt.Errorf("unknown kind of edit %q", e.Kind)
	}
	if n != nil && isBinary(n.data) {
		return "", fmt.Errorf("%s is not a text file", p)
	}
	var old []byte
	if n != nil {
		old = n.data
	} else if err := t.room(p); err != nil {
		return "", err
	}
	if e.part {
		return "", fmt.Errorf("the fence at line %d of the reply holds only some lines of %s: change them with search and replace blocks, or give the complete content under the path alone", e.Line, p)
	}
	data, err := edited(e, p, old, n != nil)
	if errors.Is(err, errNoFile) {
		return "", fmt.Errorf("there is no file %s to search in%s A new file is given with its complete content", p,
			cmp.Or(t.didYouMean(p), "."))
	} else if err != nil {
		return "", err
	}
	next := &node{data: data, mode: e.Mode}
	if n != nil {
		next.origin = n.origin
		if next.mode == 0 {
			next.mode = n.mode
		}
	}
	t.now[p] = next
	return p, nil
}

func (t *tree) move(from, to string) (string, error) {
	src, n, err := t.locate(from)
	if err != nil {
		return "", err
	}
	if n == nil {
		return "", fmt.Errorf("%s cannot be renamed: there is no such file%s", src, t.didYouMean(src))
	}
	if to, err = t.relative(to); err != nil {
		return "", err
	}
	dst, err := valid(to)
	if err != nil {
		return "", err
	}
	if dst == src {
		return dst, nil
	}
	if strings.EqualFold(src, dst) {
		// Where case does not count both names are one file, which is no obstacle.
		if _, ok := t.now[dst]; !ok {
			t.orig[dst], t.now[dst] = nil, nil
		}
	}
	there, err := t.file(dst)
	if err != nil {
		return "", err
	}
	if err := t.room(dst); err != nil {
		return "", err
	}
	if there != nil {
		return "", fmt.Errorf("%s cannot be renamed to %s: a file of that name exists", src, dst)
	}
	t.now[src], t.now[dst] = nil, n
	return dst, nil
}

// room tells whether a file could be made at p: nothing above it may be a file.
func (t *tree) room(p string) error {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if n, ok := t.now[dir]; ok && n == nil {
			continue
		} else if ok {
			return fmt.Errorf("%s cannot be made: %s is a file", p, dir)
		}
		info, err := t.fsys.Stat(dir)
		switch {
		case absent(err):
		case err != nil:
			return unreadable(p, err)
		case !info.IsDir():
			return fmt.Errorf("%s cannot be made: %s is a file", p, dir)
		default:
			return nil
		}
	}
	return nil
}

// changes compares the tree with what was read.
func (t *tree) changes() []Change {
	kept := make(map[string]bool) // origins that live on, under whatever path
	for _, n := range t.now {
		if n != nil {
			kept[n.origin] = true
		}
	}
	var out []Change
	for p, n := range t.now {
		was := t.orig[p]
		lost := was != nil && !kept[p]
		switch {
		case n == nil && lost:
			out = append(out, Change{Op: Delete, Path: p, Old: was.data, Mode: was.mode})
		case n == nil:
		case n.origin == p:
			if !bytes.Equal(was.data, n.data) {
				out = append(out, Change{Op: Modify, Path: p, Old: was.data, New: n.data, Mode: n.mode})
			}
		case n.origin != "":
			if lost {
				out = append(out, Change{Op: Delete, Path: p, Old: was.data, Mode: was.mode})
			}
			out = append(out, Change{Op: Rename, Path: p, From: n.origin, Old: t.orig[n.origin].data, New: n.data, Mode: n.mode})
		case lost:
			mode := n.mode
			if mode == 0 {
				mode = was.mode
			}
			if !bytes.Equal(was.data, n.data) {
				out = append(out, Change{Op: Modify, Path: p, Old: was.data, New: n.data, Mode: mode})
			}
		default:
			out = append(out, Change{Op: Create, Path: p, New: n.data, Mode: n.mode})
		}
	}
	// Not slices.SortFunc, which is compiled anew for each type: 30 KB for this one.
	sort.Slice(out, func(i, j int) bool {
		// A path that is deleted and taken by a rename comes in that order.
		return out[i].Path+"\x00"+string(out[i].Op) < out[j].Path+"\x00"+string(out[j].Op)
	})
	return out
}
