package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// errNoFile means that there is no file to search in.
var errNoFile = errors.New("there is no such file")

const bom = "\ufeff"

// edited returns a file's new content. Bytes that a reply cannot show stay: invalid UTF-8,
// the byte order mark, and lone CRs.
func edited(e Edit, p string, old []byte, exists bool) ([]byte, error) {
	text, marked := strings.CutPrefix(string(old), bom)
	shown := text
	hidden := !utf8.ValidString(text) && e.valid()
	if hidden {
		shown = strings.ToValidUTF8(text, "\ufffd")
	}
	lone := strings.Contains(shown, "\r") && !strings.Contains(shown, "\n")
	if lone {
		shown = strings.ReplaceAll(shown, "\r", "\n")
	}
	var (
		out string
		err error
	)
	if e.Op != Modify {
		out, err = whole(e, p, shown, exists)
		if marked || exists {
			out = strings.TrimPrefix(out, bom)
		}
	} else {
		out, err = replaced(e, p, shown, exists)
		marked = marked && !slices.ContainsFunc(e.Blocks, func(b Block) bool { return unmarks(b, text) })
	}
	if err != nil {
		return nil, err
	}
	if lone {
		out = strings.ReplaceAll(out, "\n", "\r")
	}
	if _, mixed := lineEnd(splitLines(text)); hidden || mixed && e.Op != Modify {
		if out, err = withOwn(p, text, out); err != nil {
			return nil, err
		}
	}
	if marked {
		out = bom + strings.TrimPrefix(out, bom)
	}
	return []byte(out), nil
}

// valid reports whether an edit is valid UTF-8. One that is not names the bytes itself.
func (e Edit) valid() bool {
	return utf8.ValidString(e.Content) && !slices.ContainsFunc(e.Blocks,
		func(b Block) bool { return !utf8.ValidString(b.Search + b.Replace) })
}

// unmarks reports whether a block quotes a file's first line with the byte order mark and
// replaces it by a line without.
func unmarks(b Block, text string) bool {
	search, quoted := strings.CutPrefix(b.Search, bom)
	line, _, _ := strings.Cut(search, "\n")
	first, _, _ := strings.Cut(text, "\n")
	return quoted && strings.TrimSpace(line) == strings.TrimSpace(first) && !strings.HasPrefix(b.Replace, bom)
}

// whole adapts whole content to the file that it replaces: its line ends, and a missing
// final newline, which a fence cannot express, unless the newline is the only difference.
func whole(e Edit, p, old string, exists bool) (string, error) {
	content := e.Content
	if exists {
		content = uncdata(withoutToken(content, old))
	}
	err := leftNumbers(p, splitLines(old), texts(content), 1)
	if err == nil {
		err = leftTypography(old, content)
	}
	if err != nil {
		return "", fmt.Errorf("the new %s %w", p, err)
	}
	if !exists || old == "" {
		return content, nil
	}
	was := splitLines(old)
	if e.Op == Create && strings.TrimSpace(old) != "" && !slices.Equal(texts(content), bare(was)) {
		return "", fmt.Errorf("%s exists already and is not empty, but the reply adds it as a new file: "+
			"change it with search and replace blocks, or give its complete new content under its path", p)
	}
	end, _ := lineEnd(was)
	now := splitLines(content)
	for i := range now {
		if now[i].end != "" {
			now[i].end = end
		}
	}
	last := len(now) - 1
	if last >= 0 && was[len(was)-1].end == "" && now[last].end != "" {
		given := now[last].end
		now[last].end = ""
		if joinLines(now) == old {
			// Nothing else differs: the edit is about the newline.
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

// replaced applies blocks one after another.
func replaced(e Edit, p, old string, exists bool) (string, error) {
	if len(e.Blocks) == 0 {
		if e.From != "" {
			return old, nil
		}
		return "", fmt.Errorf("the edit of %s says nothing to change", p)
	}
	if !exists || strings.TrimSpace(old) == "" {
		if s, ok := onlyAdded(e.Blocks); ok {
			end, _ := lineEnd(splitLines(old))
			return strings.ReplaceAll(s, "\n", end), nil
		}
		if !exists {
			return "", errNoFile
		}
	}
	m := matcher{name: p, ordered: e.Ordered, single: len(e.Blocks) == 1, lines: splitLines(old)}
	m.end, _ = lineEnd(m.lines)
	var bad blockErrors
	for i, b := range e.Blocks {
		if err := m.block(b); err != nil {
			bad.lines = append(bad.lines, b.Line)
			bad.texts = append(bad.texts, fmt.Sprintf("block %d of %d (line %d of the reply) %s", i+1,
				len(e.Blocks), b.Line, err)+b.quoted())
		}
	}
	if bad.lines != nil {
		return "", bad
	}
	return joinLines(m.lines), nil
}

// blockErrors say which blocks of an edit could not be applied, and why.
type blockErrors struct {
	lines []int
	texts []string
}

func (e blockErrors) Error() string { return strings.Join(e.texts, "\n") }

// quoted returns a block as its author wrote it, who may not see the reply again.
func (b Block) quoted() string {
	const most = 60
	lines := slices.Concat([]string{"<<<<<<< SEARCH"}, texts(b.Search), []string{"======="},
		texts(b.Replace), []string{">>>>>>> REPLACE"})
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	for i, l := range lines {
		lines[i] = clip(l)
	}
	return "\nThe block was:\n" + strings.Join(lines, "\n")
}

// onlyAdded returns the text of blocks without search texts.
func onlyAdded(blocks []Block) (string, bool) {
	var b strings.Builder
	for _, blk := range blocks {
		if strings.TrimSpace(blk.Search) != "" {
			return "", false
		}
		s := blk.Replace
		if blk.FinalNewline == WithoutNewline {
			s = strings.TrimSuffix(s, "\n")
		}
		b.WriteString(s)
	}
	return b.String(), true
}

// withoutToken returns the content of a file without a token at its very end, unless the
// replaced file or the content itself has another: then it may be a template, or markup.
func withoutToken(content, old string) string {
	text := strings.TrimRight(content, "\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	cut := cutTokens(last)
	if cut == strings.TrimRight(last, " \t") || strings.Contains(content, "<s>") ||
		modelToken().MatchString(old) {
		return content
	}
	if text = text[:len(text)-len(last)] + cut; cut == "" {
		return text
	}
	return text + "\n"
}
