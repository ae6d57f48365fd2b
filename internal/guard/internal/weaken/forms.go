package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// Of a language that is not read, its layout tells what is added: forms at the margin,
// such as functions and cases, and rows among others of their kind.

// forms is a file of such a language with additions.
type forms struct {
	lang     string
	old, new *source.Text
	words    map[string]bool // of the old code
	first    map[string]bool // the first ones of old lines at the margin
	bound    map[string]int  // what old lines bind, with the least indentation of these
	kinds    map[row]bool    // of old lines
	to       int             // the line below those that are looked at
}

// row is a kind of line at some distance from the margin.
type row struct {
	indent int
	kind   string
}

// formsOf reads the old lines by their layout.
func formsOf(r *reading) *forms {
	a := &forms{lang: r.lang.Name, old: r.old, new: r.new,
		words: map[string]bool{}, first: map[string]bool{}, bound: map[string]int{}, kinds: map[row]bool{}}
	for _, code := range a.old.Code {
		indent, words := width(code), a.wordsOf(code)
		for _, w := range words {
			a.words[w] = true
		}
		if indent == 0 && len(words) > 0 {
			a.first[words[0]] = true
		}
		a.kinds[row{indent, a.kindOf(code)}] = true
		if name := boundBy(code); name != "" {
			if least, is := a.bound[name]; !is || indent < least {
				a.bound[name] = indent
			}
		}
	}
	return a
}

// keepsOld tells whether every old line is read as it was: as code, text or remark.
func (a *forms) keepsOld(hunks []diff.Hunk) bool {
	at := 0
	for i := range a.old.Lines {
		for _, h := range hunks {
			if h.From == at && h.At == i {
				at = h.To
			}
		}
		if at >= len(a.new.Lines) || string(a.old.Kinds(i)) != string(a.new.Kinds(at)) {
			return false
		}
		at++
	}
	return true
}

var (
	// opensMore begins a block that a word ends, in Julia.
	opensMore = pattern.Lazy(`(?:^|[^\w.:@\[])(?:begin|if|for|while|let|function|macro|do|quote|try|struct|module|baremodule)\b`)
	endsMore  = pattern.Lazy(`(?:^|[^\w.:@\[])end\b`)
	// spoils is a word by which cases are left out, the process ended or another's code changed.
	spoils = pattern.Lazy(`(?i)(?:^|[^\w.'-])(?:x?skip(?:\w|-)*|pending(?:\w|-)*|xit|xdescribe|xcontext|xtest|fit|fdescribe|fcontext|` +
		`focus\w*|only|todo|disabled?|ignoreattribute|halt|quit|abort|bail|global|broken|assigninnamespace|` +
		`defadvice|fset|set!|setq|inmodulescope|unsafeperformio|unsafecoerce|redefine|override)(?:[^\w'-]|$)|@test_(?:skip|broken)|<<-|` +
		`\$(?:script|global|env):|\s-skip\b|#_|\(comment\b|\[<\s*(?:ignore|explicit)|init:stop|code:(?:delete|purge|load|add|del)|` +
		`alter-var-root|@eval|\b(?:Base|Core)\.eval\(|\(eval\s|add-advice|advice-add|use-fixtures|in-ns|unloadNamespace|trace\(|process\.exit|sys\.exit`)
	endsProcess = pattern.Lazy(`(?:^|[^\w.'-])(?:_?exit\w*|Exit\d?|kill-emacs)(?:[^\w'-]|$)|\bEnvironment\.Exit\b|\bSystem/exit\b`)
	// runsAround begins what runs around cases.
	runsAround = pattern.Lazy(`(?i)^[\s.(\[@<]*(?:before|after|set_?up|tear_?down|around|init_per|end_per|onetime\w*|use-fixtures|` +
		`suite_?setup|all\(|suite\(|groups\(|teardown_env|local_\w+_config)`)
	closesForm = pattern.Lazy(`^\s*(?:[)\]}]|end\b|done\b|\.\s*$)`)
	goesOn     = pattern.Lazy(`^\s*(?:[|,=&+*/<>.:]|\?\s|->|=>|\$\s|and\b|or\b|else\b|elseif\b|elif\b|catch\b|finally\b|after\b|of\b|then\b|where\b|in\b|with\b|deriving\b|when\b)`)
	plainBind  = pattern.Lazy(`^\s*(?:(?:let|val|var|const|local|my|set|setq|global|def|static)!?\s+)?(?:rec\s+|mutable\s+|inline\s+)?` +
		`([A-Za-z_$][\w'!?.]*)\s*(?:::?\s*[\w{}<>,. ]+)?(?:<-|:=|=)(?:[^=>~]|$)`)
	wordOf     = pattern.Lazy(`[A-Za-z_@?$][\w'!?@]*`)
	wordOfLisp = pattern.Lazy(`[^\s()\[\]{}"',;` + "`" + `^#@~\\]+`)
)

func isLisp(lang string) bool { return lang == "clojure" || lang == "lisp" }

func (a *forms) wordsOf(code string) []string {
	if isLisp(a.lang) {
		return wordOfLisp().FindAllString(code, -1)
	}
	return wordOf().FindAllString(code, -1)
}

// width is how far a line stands from the margin.
func width(code string) int {
	n := 0
	for _, c := range code {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8
		default:
			return n
		}
	}
	return n
}

// boundBy is the name that a line binds to a value.
func boundBy(code string) string {
	m := plainBind().FindStringSubmatch(strings.TrimRight(code, "\r\n"))
	if m == nil {
		return ""
	}
	return m[1]
}

// isWhole tells a run of lines that is a form or some, or rows among others.
func (a *forms) isWhole(h diff.Hunk) bool {
	t := a.new
	first, last := -1, -1
	for i := h.From; i < h.To; i++ {
		if t.Blank(i) {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
	}
	if h.From > 0 && t.EndsInString(h.From-1) {
		return false
	}
	if first < 0 {
		return len(commandsIn(t, h.From, h.To)) == 0
	}
	if len(commandsIn(t, h.From, h.To)) > 0 || !a.isBalanced(h) {
		return false
	}
	n := width(t.Code[first])
	for i := first; i <= last; i++ {
		if code := t.Code[i]; spoils().MatchString(a.withoutUnloads(code, n)) || a.endsAll(code, n) ||
			a.reachesOut(i) {
			return false
		}
	}
	before, after := t.Around(h.From, h.To)
	a.to = h.To
	if n == 0 && !startsRow(t.Code[first]) {
		return a.standsAtMargin(h, first, last, before, after)
	}
	return a.standsAmongRows(h, n, last, before, after)
}

// unloadsInErlang takes a module away, or loads it again from where it lies.
var unloadsInErlang = pattern.Lazy(`\bcode:(?:purge|delete|load_file)\(([a-z]\w*)\)`)

// withoutUnloads blanks, in a line of forms that begin as far as indent from the margin, such calls
// for modules for which old lines have some: what takes nothing else away leaves tests as they were.
func (a *forms) withoutUnloads(code string, indent int) string {
	if a.lang != "erlang" || indent > 0 { // a row of an old function
		return code
	}
	return unloadsInErlang().ReplaceAllStringFunc(code, func(call string) string {
		module := unloadsInErlang().FindStringSubmatch(call)[1]
		if slices.ContainsFunc(a.old.Code, func(old string) bool {
			return slices.ContainsFunc(unloadsInErlang().FindAllStringSubmatch(old, -1),
				func(m []string) bool { return m[1] == module })
		}) {
			return asBlanks(call)
		}
		return call
	})
}

// endsAll tells the end of all that runs. In Erlang a process ends itself so, within a function that
// was added; in Julia the word may be the name of a value.
func (a *forms) endsAll(code string, indent int) bool {
	switch {
	case !endsProcess().MatchString(code):
		return false
	case a.lang == "erlang":
		return indent > 0 || strings.HasPrefix(code, "exit") || strings.Contains(code, "erlang:halt")
	case a.lang == "julia":
		return exitsInJulia().MatchString(code)
	}
	return true
}

// isBalanced tells whether all that is opened in a run of lines is closed in it.
func (a *forms) isBalanced(h diff.Hunk) bool {
	var open []byte
	words := 0
	for i := h.From; i < h.To; i++ {
		code := []byte(a.new.Code[i])
		for k, c := range code {
			if len(open) > 0 {
				code[k] = ' ' // words in brackets open no block
			}
			switch c {
			case '(', '[', '{':
				open = append(open, c)
			case ')', ']', '}':
				if len(open) == 0 || c-open[len(open)-1] > 2 {
					return false
				}
				open = open[:len(open)-1]
			}
		}
		if a.lang == "julia" {
			words += len(opensMore().FindAllString(string(code), -1)) - len(endsMore().FindAllString(string(code), -1))
			if words < 0 {
				return false
			}
		}
	}
	return len(open) == 0 && words == 0
}

// standsAtMargin tells forms between others, of names that no old line has.
func (a *forms) standsAtMargin(h diff.Hunk, first, last, before, after int) bool {
	t := a.new
	code := func(i int) string { return strings.TrimRight(t.Code[i], " \t\r\n") }
	if closesForm().MatchString(code(first)) || goesOn().MatchString(code(first)) {
		return false
	}
	if after >= 0 && (width(code(after)) > 0 || closesForm().MatchString(code(after)) && !a.endsModule(after) ||
		goesOn().MatchString(code(after))) {
		return false
	}
	switch {
	case a.lang == "erlang":
		if before >= 0 && !strings.HasSuffix(code(before), ".") || !strings.HasSuffix(code(last), ".") {
			return false
		}
	case before >= 0 && unfinished().MatchString(code(before)) || unfinished().MatchString(code(last)):
		return false
	case !a.partsNoFunction(before, after):
		return false
	}
	for i := first; i <= last; i++ {
		if strings.TrimSpace(code(i)) == "" {
			continue
		}
		if width(code(i)) == 0 && !closesForm().MatchString(code(i)) && !a.isNewForm(i) {
			return false
		}
		if least, is := a.bound[boundBy(code(i))]; is && least == 0 && a.lang != "erlang" && a.lang != "haskell" &&
			!ownVariable().MatchString(code(i)) && !(statements[a.lang] && a.boundAgain(boundBy(code(i)), h.To, 0)) {
			return false
		}
	}
	return true
}

// endsModule tells, in Julia, the last line of a module whose contents stand at the margin.
func (a *forms) endsModule(i int) bool {
	_, next := a.new.Around(i+1, i+1)
	return a.lang == "julia" && next < 0 && slices.ContainsFunc(a.old.Code, func(code string) bool {
		return strings.HasPrefix(code, "module ")
	})
}

// partsNoFunction tells whether what stands above and below are two forms, not two lines of one.
func (a *forms) partsNoFunction(before, after int) bool {
	for before >= 0 && (width(a.new.Code[before]) > 0 || a.new.Blank(before) || closesForm().MatchString(a.new.Code[before])) {
		before--
	}
	if before < 0 || after < 0 {
		return true
	}
	above, below := a.wordsOf(a.new.Code[before]), a.wordsOf(a.new.Code[after])
	return len(above) == 0 || len(below) == 0 || above[0] != below[0] || declaresForm().MatchString(above[0]) || brings().MatchString(above[0]) ||
		a.lang != "haskell" && a.lang != "fsharp" && a.lang != "ocaml"
}

var (
	// declaresForm is a word by which a name is bound that stands behind it.
	declaresForm = pattern.Lazy(`^(?:let|val|var|const|def\w*|define\S*|cl-def\w+|ert-deftest|fun|func|function|proc|template|method|macro|` +
		`iterator|converter|type|data|newtype|class|instance|struct|abstract|mutable|object|enum|@enum|filter|deftest|defspec)$`)
	// besideName are words between such a word and the name.
	besideName = pattern.Lazy(`^(?:rec|inline|private|public|internal|mutable|struct|type|async|global|static|nonrec)$`)
	// brings is a word by which another file or module comes in.
	brings = pattern.Lazy(`(?i)^(?:import|open|using|include|from|require\w*|library|source|load\w*|module|namespace|ns|use|export|extends?|` +
		`set|setopt|options?|return|if|for|while|when|unless|try|do|end|else|match|case|switch|foreach|with|pragma|compile)$`)
	erlangHead = pattern.Lazy(`^([a-z]\w*)\s*\(`)
	erlangSpec = pattern.Lazy(`^-(?:spec|doc|type|export)\b|^-include_lib\("(?:stdlib|eunit|common_test|kernel)/include/\w+\.hrl"\)\.\s*$`)
)

// isNewForm tells a line at the margin that declares what no old line names, or calls what old lines
// call there.
func (a *forms) isNewForm(i int) bool {
	code := a.new.Code[i]
	if runsAround().MatchString(code) {
		return false
	}
	if a.lang == "erlang" {
		m := erlangHead().FindStringSubmatch(code)
		return erlangSpec().MatchString(strings.TrimRight(a.new.Live[i], "\r\n")) || m != nil && !a.words[m[1]]
	}
	if a.lang == "julia" && tellsInJulia().MatchString(code) {
		return true
	}
	if a.lang == "julia" && methodOfJulia().MatchString(code) {
		return a.isOfNewType(i)
	}
	words := a.wordsOf(code)
	if strings.HasPrefix(code, "{-#") {
		return onlyWarns().MatchString(strings.TrimRight(code, "\r\n"))
	}
	if strings.HasPrefix(code, "[<") { // an attribute of what stands below
		return a.lang == "fsharp" && len(words) > 0 && a.words[words[0]]
	}
	if len(words) == 0 {
		return false
	}
	switch declares := declaresForm().MatchString(words[0]) || isLisp(a.lang) && definesSpec().MatchString(words[0]); {
	case isLisp(a.lang) && !strings.HasPrefix(code, "("):
		return false
	case a.lang == "haskell" && words[0] == "import", a.lang == "julia" && usesModules().MatchString(strings.TrimRight(code, "\r\n")):
		return true // two of one name are an error of the compiler there
	case a.lang == "haskell" && words[0] == "instance":
		return slices.ContainsFunc(words[1:], func(w string) bool { return !a.words[w] && a.declaresType(w) })
	case declares:
		words = words[1:]
		for len(words) > 1 && besideName().MatchString(words[0]) {
			words = words[1:]
		}
		return len(words) > 0 && !a.words[words[0]] && !a.words["@"+words[0]]
	case brings().MatchString(words[0]):
		return false
	case boundBy(code) != "" && statements[a.lang] && a.bound[boundBy(code)] == 0 && a.words[boundBy(code)]:
		_, is := a.bound[boundBy(code)]
		return is && a.boundAgain(boundBy(code), a.to, 0)
	case boundBy(code) != "" || a.lang == "haskell" || strings.Contains(code, ")="+" ") || strings.Contains(code, ") ="):
		return !a.words[words[0]] && wordAtStart(code, words[0])
	}
	return a.first[words[0]] && wordAtStart(strings.TrimLeft(code, "("), words[0])
}

func wordAtStart(code, word string) bool { return strings.HasPrefix(code, word) }
