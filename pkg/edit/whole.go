package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// errNoFile says that there is nothing to search in.
var errNoFile = errors.New("there is no such file")

const bom = "\ufeff"

// edited is a file's new content.
func edited(e Edit, p string, old []byte, exists bool) ([]byte, error) {
	text, marked := strings.CutPrefix(string(old), bom)
	var (
		out string
		err error
	)
	if e.Kind == Whole {
		out, err = whole(e, p, text, exists)
		if marked || exists {
			out = strings.TrimPrefix(out, bom)
		}
	} else {
		out, err = replaced(e, p, text, exists)
		marked = marked && !slices.ContainsFunc(e.Blocks, func(b Block) bool { return unmarks(b, text) })
	}
	if err != nil {
		return nil, err
	}
	if marked {
		out = bom + strings.TrimPrefix(out, bom)
	}
	return []byte(out), nil
}

// unmarks tells a block that quotes a file's first line with the byte order mark, and
// puts what has none in its place.
func unmarks(b Block, text string) bool {
	search, quoted := strings.CutPrefix(b.Search, bom)
	line, _, _ := strings.Cut(search, "\n")
	first, _, _ := strings.Cut(text, "\n")
	return quoted && strings.TrimSpace(line) == strings.TrimSpace(first) && !strings.HasPrefix(b.Replace, bom)
}

// whole fits complete content to the file that it replaces: its line ends, and
// a missing final newline, which a fence cannot say, unless the newline is all
// that would differ.
func whole(e Edit, p, old string, exists bool) (string, error) {
	content := uncdata(withoutToken(unescaped(p, e.Content), old, exists))
	if e.lead != "" {
		if first, _, _ := strings.Cut(old, "\n"); exists && strings.TrimSpace(first) == strings.TrimSpace(e.lead) {
			content = e.lead + "\n" + content
		}
	}
	if !exists || old == "" {
		return content, nil
	}
	was := splitLines(old)
	if e.open && 2*strings.Count(content, "\n") < len(was) {
		return "", fmt.Errorf("the fence at line %d of the reply is not closed, and its content has not half of the lines of %s: the reply seems to end in the middle of it, so it is not applied", e.Line, p)
	}
	if e.New && strings.TrimSpace(old) != "" && !slices.Equal(texts(content), bare(was)) {
		return "", fmt.Errorf("%s exists already and is not empty, but the reply adds it as a new file: change it with search and replace blocks, or give its complete new content under its path", p)
	}
	if e.loose {
		return "", fmt.Errorf("other text stands between the path %s and the fence of line %d, so it is not clear whether that is its complete content: put the path on the line directly above the fence", p, e.Line)
	}
	end, mixed := lineEnd(was)
	now := splitLines(content)
	for i := range now {
		if now[i].end != "" {
			now[i].end = end
		}
	}
	if mixed {
		keepEnds(was, now)
	}
	last := len(now) - 1
	if last >= 0 && was[len(was)-1].end == "" && now[last].end != "" {
		given := now[last].end
		now[last].end = ""
		if joinLines(now) == old {
			// Nothing else differs: the newline is what the edit is about.
			now[last].end = given
		}
	}
	return joinLines(now), nil
}

func bare(ls []line) []string {
	out := make([]string, len(ls))
	for i, l := range ls {
		out[i] = l.text
	}
	return out
}

// keepEnds gives the lines that stay their own line ends.
func keepEnds(was, now []line) {
	i, j := 0, 0
	for _, op := range align(bare(was), bare(now)) {
		switch op {
		case keep:
			if was[i].end != "" && now[j].end != "" {
				now[j].end = was[i].end
			}
			i, j = i+1, j+1
		case drop:
			i++
		case add:
			j++
		}
	}
}

// replaced applies blocks one after another.
func replaced(e Edit, p, old string, exists bool) (string, error) {
	if len(e.Blocks) == 0 {
		if e.From != "" {
			return old, nil
		}
		return "", fmt.Errorf("the edit of %s says nothing to change", p)
	}
	if !exists || strings.TrimSpace(old) == "" {
		for i, b := range e.Blocks {
			d, err := undivided(b, isProse(p))
			if err != nil {
				return "", fmt.Errorf("block %d of %d (line %d of the reply) %w", i+1, len(e.Blocks), b.Line, err)
			}
			e.Blocks = slices.Clone(e.Blocks)
			e.Blocks[i] = d
		}
		if s, ok := onlyAdded(e.Blocks); ok {
			end, _ := lineEnd(splitLines(old))
			return strings.ReplaceAll(s, "\n", end), nil
		}
		if !exists {
			return "", errNoFile
		}
	}
	m := matcher{kind: e.Kind, prose: isProse(p), single: len(e.Blocks) == 1, lines: splitLines(old)}
	m.end, _ = lineEnd(m.lines)
	var errs []string
	for i, b := range e.Blocks {
		if err := m.block(b); err != nil {
			errs = append(errs, fmt.Sprintf("block %d of %d (line %d of the reply) %s", i+1, len(e.Blocks), b.Line, err))
		}
	}
	if errs != nil {
		return "", errors.New(strings.Join(errs, "\n"))
	}
	return joinLines(m.lines), nil
}

// onlyAdded is the text of blocks that search for nothing.
func onlyAdded(blocks []Block) (string, bool) {
	var b strings.Builder
	for _, blk := range blocks {
		if strings.TrimSpace(blk.Search) != "" {
			return "", false
		}
		s := blk.Replace
		if blk.newBare {
			s = strings.TrimSuffix(s, "\n")
		}
		b.WriteString(s)
	}
	return b.String(), true
}
