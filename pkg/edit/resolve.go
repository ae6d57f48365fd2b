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

// Resolve works out the edits of a reply against the current files. The changes are sorted
// by path, one per file, however many edits name it: edits are applied in the order of the
// reply. Edits that change nothing give no change. The problems, including those of
// parsing, list what could not be applied. With any but [Protected] ones the caller should
// apply nothing, but may keep [Reply.Sound] for the next reply.
//
// Edits are written with LF. A file keeps its line ends, its byte order mark (unless a
// block quotes it and leaves it out), its missing final newline, its mode, and invalid
// UTF-8, which a reply cannot show.
func Resolve(fsys fs.FS, r Reply) ([]Change, []Problem) {
	t := &tree{files: newFiles(fsys), orig: make(map[string]*node), now: make(map[string]*node)}
	problems := slices.Clone(r.Problems)
	if r.Truncated {
		reason := "the reply ends in the middle of an edit, so it is not applied"
		if r.Cut != "" {
			reason += ": " + r.Cut
		}
		problems = append(problems, Problem{Reason: reason})
	}
	touched := make(map[string][]Edit) // by the path after the edits
	for _, e := range r.Edits {
		p, err := t.apply(e)
		if err != nil {
			problems = append(problems, problemOf(e.Path, err))
			continue
		}
		touched[p] = append(touched[p], e)
	}
	changes := t.changes()
	for _, c := range changes {
		reasons := []string{t.misplaced(c, touched[c.Path], changes)}
		if reasons[0] == "" {
			reasons = inspect(c, touched[c.Path])
		}
		for _, reason := range reasons {
			problems = append(problems, Problem{Path: c.Path, Reason: reason})
		}
	}
	more := append(t.missedEdits(r.Fences, touched, changes), t.unappliedMentions(r.Mentions, touched)...)
	if len(more) > 0 && len(r.Edits) == 0 && len(problems) > 0 && problems[0].Kind == NoEdit {
		problems = problems[1:] // the following problems say more
	}
	return changes, append(problems, more...)
}

// inspect checks the result: whether it parses, contains a placeholder, or is only a part
// of the file given as whole.
func inspect(c Change, edits []Edit) []string {
	old, now := string(c.Old), string(c.New)
	switch {
	case c.Op == Delete || old == now, strings.TrimSpace(now+old) == "":
		return nil
	case strings.TrimSpace(now) == "" && strings.TrimSpace(old) != "":
		return []string{fmt.Sprintf("the edit would leave %s empty; to remove the file write DELETE %s",
			c.Path, c.Path)}
	}
	for _, why := range []string{placeholder(c, old, edits), fragment(c, old, now, edits),
		syntax(c, old, now)} {
		if why != "" {
			return []string{why}
		}
	}
	return nil
}

// unappliedMentions returns commands and sentences about a file that no edit changes.
func (t *tree) unappliedMentions(mentions []Mention, touched map[string][]Edit) []Problem {
	var out []Problem
	seen := make(map[string]bool)
	for _, m := range mentions {
		// Just "Delete x.go" contradicts an edit of the file.
		alone := len(strings.Fields(m.Text)) == 2
		n, ok := t.now[m.Path]
		if seen[m.Path] || ok && n == nil || len(touched[m.Path]) > 0 && !alone || !t.files.there(m.Path) &&
			t.known(m.Path) == "" {
			continue
		}
		seen[m.Path] = true
		out = append(out, Problem{Path: m.Path, Reason: fmt.Sprintf("line %d of the reply asks to change %s "+
			"in prose or by a shell command (%s); neither is carried out: give the edit itself, or leave the "+
			"line out%s; to delete a file write DELETE path, to rename one RENAME old -> new",
			m.Line, m.Path, clip(strings.TrimRight(m.Text, ".")), t.didYouMean(m.Path))})
	}
	return out
}

// node is a file at some moment; nil means none.
type node struct {
	origin string // its path in the file system, "" for a new one
	data   []byte
	mode   fs.FileMode
}

// tree is the file system with the edits so far on top.
type tree struct {
	files *files
	orig  map[string]*node // as read, nil if absent
	now   map[string]*node
}

// file reads a file once.
func (t *tree) file(p string) (*node, error) {
	if n, ok := t.now[p]; ok {
		return n, nil
	}
	info, err := t.files.stat(p)
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
	data, err := fs.ReadFile(t.files.fsys, p)
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

// clean turns a path of the reply into one of the tree. An absolute path below the root
// becomes relative; others, and those that lead upwards, are outside.
func (t *tree) clean(p string) (string, error) {
	slashed := path.Clean(strings.ReplaceAll(p, `\`, "/"))
	drive := len(slashed) > 2 && slashed[1] == ':' && slashed[2] == '/'
	if path.IsAbs(slashed) || drive {
		root := ""
		if r, ok := t.files.fsys.(Rooted); ok && r.Root() != "" {
			root = strings.TrimSuffix(r.Root(), "/") + "/"
		}
		if drive && !strings.HasPrefix(slashed, root) {
			slashed = slashed[2:]
		}
		if rest, below := strings.CutPrefix(slashed, root); below && root != "" {
			p = rest
		} else if s := t.suffix(slashed); s != "" {
			return "", fmt.Errorf(
				"%s is an absolute path; paths are relative to the root of the repository: "+
					"did you mean %s?", p, s)
		}
	}
	clean := path.Clean(p)
	switch {
	case path.IsAbs(clean), clean == "..", strings.HasPrefix(clean, "../"), len(clean) > 1 &&
		clean[1] == ':', strings.HasPrefix(clean, `\\`):
		return "", fmt.Errorf("%q %w", p, ErrOutside)
	case !fs.ValidPath(clean), clean == ".", strings.ContainsRune(p, 0), strings.HasSuffix(p, "/"):
		return "", fmt.Errorf("%q is not the path of a file", p)
	}
	return t.files.twin(clean), nil
}

// locate finds the file of a path. A leading a/ or b/ is dropped if only the path without
// it exists.
func (t *tree) locate(p string) (string, *node, error) {
	clean, err := t.clean(p)
	if err != nil {
		return "", nil, err
	}
	n, err := t.file(clean)
	if err != nil || n != nil {
		return clean, n, err
	}
	if side, rest, _ := strings.Cut(clean, "/"); (side == "a" || side == "b") && rest != "" &&
		!t.files.exists(side) {
		if n, err := t.file(rest); err == nil && n != nil {
			return rest, n, nil
		}
	}
	return clean, nil, nil
}

// apply applies one edit to the tree and returns the resulting path.
func (t *tree) apply(e Edit) (string, error) {
	if e.From != "" {
		p, err := t.move(e.From, e.Path)
		if err != nil || e.Op == Rename {
			return p, err
		}
	}
	p, n, err := t.locate(e.Path)
	if err != nil {
		return "", err
	}
	switch e.Op {
	case Delete:
		if n == nil {
			return "", fmt.Errorf("%s cannot be deleted: there is no such file%s", p, t.didYouMean(p))
		}
		t.now[p] = nil
		return p, nil
	case Rename:
		return "", errors.New("a rename needs the old path and the new one")
	case Write, Create, Modify:
	default:
		return "", fmt.Errorf("unknown operation %q", e.Op)
	}
	if n != nil && isBinary(n.data) {
		return "", fmt.Errorf("%s is not a text file", p)
	}
	var old []byte
	if n != nil {
		old = n.data
	} else if err := t.canCreate(p); err != nil {
		return "", err
	}
	data, err := edited(e, p, old, n != nil)
	if errors.Is(err, errNoFile) {
		return "", fmt.Errorf(
			"there is no file %s to search in%s A new file is given with its complete content", p,
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
	dst, err := t.clean(to)
	if err != nil {
		return "", err
	}
	if dst == src {
		return dst, nil
	}
	if strings.EqualFold(src, dst) {
		// If case does not matter, both names are one file, which is no obstacle.
		if _, ok := t.now[dst]; !ok {
			t.orig[dst], t.now[dst] = nil, nil
		}
	}
	there, err := t.file(dst)
	if err != nil {
		return "", err
	}
	if err := t.canCreate(dst); err != nil {
		return "", err
	}
	if there != nil {
		return "", fmt.Errorf("%s cannot be renamed to %s: a file of that name exists", src, dst)
	}
	t.now[src], t.now[dst] = nil, n
	return dst, nil
}

// canCreate reports whether a file could be created at p: no parent may be a file.
func (t *tree) canCreate(p string) error {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		n, read := t.now[dir]
		info, err := t.files.stat(dir)
		switch {
		case n != nil, !read && err == nil && !info.IsDir():
			return fmt.Errorf("%s cannot be made: %s is a file", p, dir)
		case read || absent(err):
		case err != nil:
			return unreadable(p, err)
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
			out = append(out, Change{Op: Rename, Path: p, From: n.origin, Old: t.orig[n.origin].data,
				New:  n.data,
				Mode: n.mode})
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
	// Not slices.SortFunc, which is compiled again for each type: 30 KB for this one.
	sort.Slice(out, func(i, j int) bool {
		// A path that is deleted and taken by a rename comes in that order.
		return out[i].Path+"\x00"+string(out[i].Op) < out[j].Path+"\x00"+string(out[j].Op)
	})
	return out
}
