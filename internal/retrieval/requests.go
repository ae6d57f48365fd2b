package retrieval

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/look"
)

// Part is a file, or lines of it, that a request must show.
type Part struct {
	Path string
	// From and To are lines from 1, inclusive; 0 means the whole file.
	From, To int
	// Outline asks for declarations only.
	Outline bool
}

// Answer is the answer to a request of the model.
type Answer struct {
	look.Request
	// Answer is one of package look's constants; Note explains it.
	Answer, Note string
	// Size is the number of bytes shown for it.
	Size int
	// Found is text to show: matching places, or the names in a folder.
	Found string
}

const (
	// maxFound bounds the text found for one request, in bytes.
	maxFound = 5 << 10
	// minRoom is the least room for an outline.
	minRoom = 2 << 10
	// maxAlike bounds the suggestions for a path that does not exist.
	maxAlike = 5
)

// Look answers the requests of a model, in order, within room bytes. The same requests and
// files give the same answers. The parts are for [Index.AddParts]. It only shows files that
// may be context.
func (ix *Index) Look(ctx context.Context, wishes []look.Request, room int) ([]Answer, []Part, error) {
	if len(wishes) == 0 {
		return nil, nil, nil
	}
	if err := ix.Warm(ctx); err != nil {
		return nil, nil, err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	root, err := os.OpenRoot(ix.root)
	if err != nil {
		return nil, nil, fmt.Errorf("look at files: %w", err)
	}
	defer func() { _ = root.Close() }()
	l := &looker{ix: ix, root: root, room: room, most: room / 2}
	var out []Answer
	for _, w := range wishes {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("look at files: %w", err)
		}
		a, before := Answer{Request: w}, l.room
		switch w.Kind {
		case look.Find:
			l.find(&a)
		case look.Ask:
			a.Answer, a.Note = look.Kept,
				"nobody was asked yet: if what you see now does not answer it, ask again, alone"
		default:
			l.show(&a)
		}
		a.Size = before - l.room
		l.room -= len(a.Found)
		out = append(out, a)
	}
	return out, l.parts, nil
}

// looker answers requests one by one.
type looker struct {
	ix   *Index
	root *os.Root
	// room is what is left for all, most what one whole file may take.
	room, most int
	parts      []Part
}

// show answers a SHOW with the file, its lines, or the names in a folder.
func (l *looker) show(a *Answer) {
	p := strings.TrimPrefix(a.What, strings.TrimSuffix(strings.ReplaceAll(l.ix.root, "\\", "/"), "/")+"/")
	if p = strings.TrimSuffix(p, "/"); p == "." {
		p = ""
	}
	if n, ok := l.ix.dirNumber[p]; ok {
		a.Answer, a.Found = look.Shown, l.folder(n)
		return
	}
	switch {
	case !inside(p):
		a.Answer, a.Note = look.Refused, "it is outside the repository"
		return
	case !l.ix.allowed(p) || l.ix.isGit(p):
		a.Answer, a.Note = look.Refused, "this file is never shown"
		return
	}
	i, ok := l.ix.number(p)
	if !ok && !l.ix.mayAdd(p) {
		a.Answer, a.Note = look.Refused, "git ignores this file: it is not shown"
		return
	}
	if !ok {
		a.Answer, a.Note = look.NotFound, l.suggestions(p)
		return
	}
	text, err := l.text(i)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		a.Answer, a.Note = look.NotFound, "it was deleted"
	case err != nil:
		a.Answer, a.Note = look.Refused, err.Error()
	default:
		l.take(a, p, text)
	}
}

// take shows a file, or lines of it, as far as there is room.
func (l *looker) take(a *Answer, p, text string) {
	e := newExcerpt(text)
	from, to := 1, len(e.lines)
	if a.From > 0 {
		from, to = a.From, min(a.To, to)
	}
	if from > len(e.lines) && len(e.lines) > 0 {
		a.Answer, a.Note = look.NotFound, fmt.Sprintf("it has %d lines", len(e.lines))
		return
	}
	size, last, most := 0, from-1, min(l.room, l.most)
	if a.From > 0 {
		most = l.room
	}
	for ; last < to && size+len(e.lines[last]) <= most; last++ {
		size += len(e.lines[last])
	}
	switch {
	case last == to:
		a.Answer = look.Shown
		l.add(Part{Path: p, From: a.From, To: min(a.To, to)}, size)
	case a.From > 0 && last > from:
		a.Answer, a.Note = look.TooLarge,
			fmt.Sprintf("lines %d to %d are shown, of %d", from, last, len(e.lines))
		l.add(Part{Path: p, From: from, To: last}, size)
	case l.room > minRoom:
		a.Answer = look.TooLarge
		a.Note = fmt.Sprintf("it has %d lines; its outline is shown: ask for lines, such as SHOW %s:1-200",
			len(e.lines), p)
		l.add(Part{Path: p, Outline: true}, min(l.room, maxOutline))
	default:
		a.Answer, a.Note = look.TooLarge, "there is no more room"
	}
}

func (l *looker) add(p Part, size int) {
	if !slices.Contains(l.parts, p) {
		l.parts = append(l.parts, p)
		l.room -= size
	}
}

var errBinary = errors.New("it is no text")

// text reads a file that may be shown.
func (l *looker) text(i int32) (string, error) {
	p := l.ix.docs[i].path
	if !plain(l.root, p) {
		return "", errNotShown
	}
	data, info, err := readFile(l.root, p, maxShown)
	switch {
	case err != nil:
		return "", err
	case info.Size() > maxShown || binary(data):
		return "", errBinary
	}
	return string(data), nil
}

// folder lists the folders and files directly in a folder.
func (l *looker) folder(n int32) string {
	var names []string
	at := l.ix.dirs[n].path
	for _, d := range l.ix.dirs {
		if d.path != "" && dir(d.path) == at {
			names = append(names, d.path+"/")
		}
	}
	for _, i := range l.ix.dirs[n].files {
		names = append(names, l.ix.docs[i].path)
	}
	slices.Sort(names)
	return l.list(names)
}

// list writes lines as far as there is room.
func (l *looker) list(names []string) string {
	var b strings.Builder
	for k, s := range names {
		if b.Len()+len(s) > min(maxFound, l.room) {
			fmt.Fprintf(&b, "and %d more\n", len(names)-k)
			break
		}
		b.WriteString(s + "\n")
	}
	return b.String()
}

// suggestions suggests files for a wrong path.
func (l *looker) suggestions(p string) string {
	var in []int32
	add := func(is []int32) {
		for _, i := range is {
			if !slices.Contains(in, i) {
				in = append(in, i)
			}
		}
	}
	add(l.ix.called(base(p)))
	add(l.ix.stemmed(stemOf(p)))
	if n, ok := l.ix.dirNumber[dir(p)]; ok && len(in) == 0 && dir(p) != "" {
		add(l.ix.dirs[n].files)
	}
	if len(in) == 0 {
		return "there is no such file"
	}
	slices.SortStableFunc(in, func(a, b int32) int {
		return commonDirs(l.ix.docs[b].path, p) - commonDirs(l.ix.docs[a].path, p)
	})
	var names []string
	for _, i := range in[:min(len(in), maxAlike)] {
		names = append(names, l.ix.docs[i].path)
	}
	return "there is no such file; there is " + strings.Join(names, ", ")
}

// isGit reports whether a path is one of git's own files.
func (ix *Index) isGit(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return false
}
