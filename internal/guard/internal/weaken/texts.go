package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// cutsIndentation are languages in which a text over several lines begins, in each of them, behind
// as many blanks as stand before the mark that ends it.
var cutsIndentation = map[string]bool{"swift": true, "csharp": true, "elixir": true, "java": true}

// indentOfText is how many bytes of line i are there for the place of such a text alone: none, if not
// all of the text is among the lines from which on and up to which one looks.
func indentOfText(t *source.Text, i, from, to int) int {
	if !cutsIndentation[t.Source.Lang.Name] || i == 0 || !t.EndsInString(i-1) {
		return 0
	}
	first, last := i, i
	for first > 1 && t.EndsInString(first-2) {
		first--
	}
	for last < len(t.Lines)-1 && t.EndsInString(last) {
		last++
	}
	end := strings.TrimLeft(t.Lines[last], " \t")
	pad := t.Lines[last][:len(t.Lines[last])-len(end)]
	if !strings.HasPrefix(end, `"""`) || first < from || last >= to {
		return 0
	}
	for _, line := range t.Lines[first:last] {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, pad) {
			return 0
		}
	}
	line := t.Lines[i]
	return min(len(pad), len(line)-len(strings.TrimLeft(line, " \t")))
}

// mostJoined bounds how many edits are taken for one, and mostBetween how many lines stand between
// two of them: what is moved as a whole leaves few as they were.
const mostJoined, mostBetween = 24, 3

// joinTexts takes edits together of which the first ends within such a text, with the lines between
// them, where that shows that they only put code elsewhere.
func (s *sorter) joinTexts(edits []diff.Edit) (out []diff.Edit) {
	if !cutsIndentation[s.lang.Name] {
		return edits
	}
	for i := 0; i < len(edits); i++ {
		e := edits[i]
		inText := e.To > 0 && e.To < len(s.old.Lines) && s.old.EndsInString(e.To-1)
		for n := i + 1; inText && n < len(edits) && n < i+mostJoined; n++ {
			if edits[n].From-edits[n-1].To > mostBetween {
				break
			}
			end := edits[n].At + len(edits[n].New)
			if all := (diff.Edit{From: e.From, To: edits[n].To, At: e.At, New: s.new.Lines[e.At:end]}); s.isNeutral(all) {
				e, i = all, n
				break
			}
		}
		out = append(out, e)
	}
	return out
}

// alikeQuoted are languages in which a plain text between either kind of quotation marks is the same.
var alikeQuoted = map[string]bool{"js": true, "python": true, "ruby": true, "php": true, "dart": true, "lua": true,
	"perl": true}

// sameQuotes gives a line with the one kind of them around texts in which no sign means anything.
func sameQuotes(lang, line string, kinds []byte) string {
	if !alikeQuoted[lang] || !strings.Contains(line, "'") {
		return line
	}
	out := []byte(line)
	for k := 0; k < len(line); k++ {
		if line[k] != '\'' && line[k] != '"' || kinds[k] != lexer.InCode {
			continue
		}
		end := k + 1
		for end < len(line) && kinds[end] == lexer.InString {
			end++
		}
		if end >= len(line) || line[end] != line[k] {
			return string(out)
		}
		if !strings.ContainsAny(line[k+1:end], "\\'\"$@#") {
			out[k], out[end] = '"', '"'
		}
		k = end
	}
	return string(out)
}
