package edit

import (
	"regexp"
	"strings"
	"sync"
)

// Some models put a file between tags: <file path="x.go">, or <path>x.go</path>
// and <content> beside it. Between them stand the complete content, with a fence
// around it or without, or blocks, a diff or a patch.

// pathTag is an opening tag with attributes, and what follows it on its line.
var pathTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<([A-Za-z][\w.:-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))+)\s*>(.*)$`)
})

var tagAttribute = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
})

// namingTag holds nothing but a path.
var namingTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<(path|file|filename|file_name|filepath|file_path|summary)>\s*([^<>]+?)\s*</(path|file|filename|file_name|filepath|file_path|summary)>$`)
})

// contentTag opens the content of a file that was named before.
var contentTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<(content|contents|file_content|file_contents|new_content|code|file_text)>$`)
})

// element reads a file between tags; ok is false where there is none.
func (p *parser) element(t string, i, to, depth int) (next int, ok bool) {
	if t[0] != '<' {
		return i, false
	}
	if m := namingTag().FindStringSubmatch(t); m != nil {
		name := cleanPath(m[2])
		if m[1] == "summary" && isToken(name) {
			if next := p.firstText(i+1, to); next < to && fenceRunAt(p.lines[next]) {
				p.pend = &pending{named: named{path: name, marked: true, surety: setOff}, line: i}
				return i + 1, true
			}
		}
		if !looksLikePath(name, true) && (!isToken(name) || m[1] == "summary") {
			return i, false
		}
		p.pend = &pending{named: named{path: name, marked: true}, line: i}
		return i + 1, true
	}
	if m := contentTag().FindStringSubmatch(t); m != nil && p.pend.sure() && !p.pend.loose {
		return p.between(p.take().path, m[1], "", i, to, depth)
	}
	m := pathTag().FindStringSubmatch(t)
	if m == nil {
		return i, false
	}
	name := tagPath(strings.ToLower(m[1]), m[2])
	if name == "" {
		return i, false
	}
	return p.between(name, m[1], m[3], i, to, depth)
}

// tagPath is the path among a tag's attributes.
func tagPath(tag, attributes string) string {
	for _, a := range tagAttribute().FindAllStringSubmatch(attributes, -1) {
		switch strings.ToLower(a[1]) {
		case "path", "file", "filename", "filepath", "file_path", "file-path":
		case "name", "title":
			if !strings.Contains(tag, "file") {
				continue
			}
		default:
			continue
		}
		if p := cleanPath(a[2] + a[3]); looksLikePath(p, true) || isToken(p) {
			return p
		}
	}
	return ""
}

// between reads what stands between a tag and its end. Where the end is
// missing, a tag that is named for files shows that the text was cut.
func (p *parser) between(name, tag, rest string, i, to, depth int) (next int, ok bool) {
	closing := "</" + tag + ">"
	end := -1
	for j := i + 1; j < to && end < 0 && p.openTags < patience; j++ {
		if strings.HasSuffix(strings.TrimRight(p.lines[j], " \t"), closing) {
			end = j
		}
	}
	if end < 0 {
		p.openTags++
		if !strings.Contains(strings.ToLower(tag), "file") || strings.HasSuffix(rest, closing) {
			return i, false
		}
		p.cut(name, "the tag at line %d of the reply is not closed: </%s> is missing", i+1, tag)
		return to, true
	}
	stop := end
	if last := strings.TrimSuffix(strings.TrimRight(p.lines[end], " \t"), closing); strings.TrimSpace(last) != "" {
		p.lines[end], stop = last, end+1
	}
	from := i + 1
	if strings.TrimSpace(rest) != "" {
		p.lines[i], from = rest, i
	}
	p.inside(name, from, stop, depth)
	return end + 1, true
}

// inside reads the lines between two tags.
func (p *parser) inside(name string, from, stop, depth int) {
	first := p.firstText(from, stop)
	if first < stop {
		t := strings.TrimSpace(p.lines[first])
		f, fence := openFence(p.lines[first])
		switch {
		case isSearchTag(t) && p.taggedBlocks(name, first, stop):
			return
		case isSearchTag(t):
			p.problem(name, "the change of %s at line %d of the reply stands between tags: write it with <<<<<<< SEARCH, ======= and >>>>>>> REPLACE", name, first+1)
			return
		case contentTag().MatchString(t), isSearch(p.lines[first]), isEnvelope(t), isDiffStart(p.lines, first, stop),
			fence && (!isProse(name) || f.closes(p.lines[p.lastText(first, stop)])):
			p.pend = &pending{named: named{path: name, marked: true}, line: from}
			p.run(first, stop, depth+1)
			p.pend = nil
			return
		}
	}
	var lines []string
	if from < stop {
		lines = p.lines[from:stop]
	}
	p.addWhole(Edit{Kind: Whole, Path: name, Line: from}, lines, name)
}

// taggedBlocks reads pairs of tags for the two halves of a block.
func (p *parser) taggedBlocks(name string, from, stop int) bool {
	e := Edit{Kind: Replace, Path: name, Line: from + 1}
	var a arguments
	for _, m := range argument().FindAllStringSubmatch(strings.Join(p.lines[from:stop], "\n"), -1) {
		a.set(m[1]+m[3]+m[5], unwrapped(m[2]+m[4]+m[6]))
		if !a.has["old"] || !a.has["new"] {
			continue
		}
		e.Blocks = append(e.Blocks, Block{Search: ended(a.old), Replace: ended(a.new), Line: from + 1})
		a = arguments{}
	}
	if len(e.Blocks) == 0 || a.has != nil {
		return false
	}
	p.last, p.lastGuess = name, nil
	p.add(e)
	return true
}

// isSearchTag tells tags for the two halves of a block.
func isSearchTag(t string) bool {
	for _, w := range []string{"<search>", "<old", "<find>", "<original>"} {
		if strings.HasPrefix(strings.ToLower(t), w) {
			return true
		}
	}
	return false
}
