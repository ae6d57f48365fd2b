package edit

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A fence under no path, behind a sentence that names no file, mostly explains.
// But where the sentence wants a change, or nothing says that the code is an
// example, a part of the work would be lost with it, so the author is told.

// exampleWords show that a fence explains: what is shown is used, run, printed.
var exampleWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:usage|(?:be|is|are) used|use it|using|with it|calls?|called|try|runs?|running|reproduces?|outputs?|prints?|printed|gives?|given|returns?|yields?|raises?|throws?|` +
		`results?|shows?|shown|works?|now|instead of|rather than|current|currently|problems?|bugs?|causes?|because|why|reasons?|means?|like|looks?|likewise|shape|format|form|response|request|query|ideas?|pattern|` +
		`in short|explains?|compare|errors?|fails?|failed|failing|failure|messages?|traces?|traceback|expected|expects?|check|verify|found|reads?|see|lines?|relevant|snippet|here|above|below)\b`)
})

// mereWords say that what is shown is not, or no longer, to be in a file.
var mereWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:if you|could|would|may|might|maybe|perhaps|later|optional|optionally|alternatives?|alternatively|examples?|e\.g|such as|for instance|` +
		`before|previously|formerly|old|was|were|used to|original|originally|consider|suppose|imagine|think of|equivalent|amounts?|effect|roughly|sketch|pseudo\w*|illustrates?|demonstrates?)\b`)
})

// wantsWords ask for a change.
var wantsWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:also (?:add|change|update|replace|fix|need)|add (?:the|this|these|a|an|it)|needs?|must|replace|change (?:it|this|the)|insert|append|becomes?|update|rewrite|same (?:mistake|bug|change|fix)|put (?:this|it|the))\b`)
})

// unexplained remembers a fence that nothing says to be an example. Where the
// sentence above allows either, it counts if it holds a version of what the
// reply changes.
func (p *parser) unexplained(f fenceLine, i, end int) {
	if n := len(p.reply.mentions); isTranscript(f.lang) || isShell(f.lang) || n > 0 && p.reply.mentions[n-1].line == i+1 {
		return
	}
	text := p.sentenceAbove(i)
	if mereWords().MatchString(text) {
		return
	}
	said := wantsWords().MatchString(text) || !exampleWords().MatchString(text) && isCodeLang(f.lang)
	p.reply.mentions = append(p.reply.mentions,
		mention{line: i + 1, content: strings.Join(p.lines[i+1:end], "\n"), bare: true, said: said})
}

// sentenceAbove is the line of text that a fence stands under, "" where there is none.
func (p *parser) sentenceAbove(i int) string {
	for i--; i >= 0; i-- {
		switch t := strings.TrimSpace(p.lines[i]); {
		case t == "":
		case p.parts(i):
			return ""
		default:
			return t
		}
	}
	return ""
}

// isCodeLang tells languages of code by their names and by those of their files.
func isCodeLang(lang string) bool {
	switch lang {
	case "python", "golang", "typescript", "tsx", "javascript", "jsx", "rust", "ruby", "kotlin", "csharp", "c++", "elixir", "php":
		return true
	}
	return isCode("x." + lang)
}

// isVersion tells a text that is a version of what the changes touch.
func isVersion(content string, changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return alike(string(c.Old), content) || alike(string(c.New), content) })
}
