package mutant

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// An operator finds tokens and says what to put in their place. where's group 1 is the
// token; fits, where set, has the last word on a place.
type operator struct {
	what  string
	where *regexp.Regexp
	fits  func(lang, code string, from, to int) bool
	now   func(lang, was string) []string
}

func one(now map[string]string) func(string, string) []string {
	return func(_, was string) []string {
		if n, is := now[was]; is {
			return []string{n}
		}
		return nil
	}
}

var operators = sync.OnceValue(func() []operator {
	return []operator{
		{"comparison reversed", regexp.MustCompile(`(?:^|[^=!<>&|+\-*/%^~?:.])(===|!==|==|!=)(?:[^=>]|$)`), nil,
			one(map[string]string{"==": "!=", "!=": "==", "===": "!==", "!==": "==="})},
		// Blanks on both sides tell a comparison from a generic type.
		{"comparison changed", regexp.MustCompile(`\s(<=|>=|<|>)\s`), compares, func(_, was string) []string {
			return map[string][]string{"<": {"<=", ">="}, "<=": {"<", ">"}, ">": {">=", "<="},
				">=": {">", "<"}}[was]
		}},
		// What stands before tells it from a closure without parameters.
		{"and/or swapped", regexp.MustCompile(`(?:[\w)\]}"'` + "`" + `?!/]\s*|^\s*)(&&|\|\|)`), operand, one(map[string]string{"&&": "||", "||": "&&"})},
		{"and/or swapped", regexp.MustCompile(`\s(and|or)\s`), wordy, one(map[string]string{"and": "or", "or": "and"})},
		{"negation removed", regexp.MustCompile(`(?:^|[\s(,&|=])(!)[\w($@]`), nil, one(map[string]string{"!": ""})},
		{"negation removed", regexp.MustCompile(`(?:^|[\s(])(not )[\w(]`), func(lang, code string, from, _ int) bool {
			return (lang == "python" || lang == "ruby") && !strings.HasSuffix(strings.TrimRight(code[:from], " "), " is")
		}, one(map[string]string{"not ": ""})},
		{"boolean flipped", regexp.MustCompile(`\b(true|false|True|False|TRUE|FALSE)\b`), nil, one(map[string]string{
			"true": "false", "false": "true", "True": "False", "False": "True", "TRUE": "FALSE", "FALSE": "TRUE"})},
		{"arithmetic changed", regexp.MustCompile(`[\w)\]]\s([+\-*/%]|//)\s`), calculates,
			one(map[string]string{"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "//": "*"})},
		{"arithmetic changed", regexp.MustCompile(`\s([+\-*/]=)\s`), nil,
			one(map[string]string{"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="})},
		{"arithmetic changed", regexp.MustCompile(`\w(\+\+|--)(?:[\s;)]|$)`), nil, one(map[string]string{"++": "--", "--": "++"})},
		{"constant changed", regexp.MustCompile(`(?:^|[^\w.$#])(\d+(?:\.\d+)?)(?:[^\w.]|$)`), nil, another},
	}
})

// wordy are the languages that write and and or.
func wordy(lang, _ string, _, _ int) bool { return lang == "python" || lang == "ruby" || lang == "php" }

// compares leaves out the superclass of a Ruby class.
func compares(lang, code string, _, _ int) bool {
	return lang != "ruby" || !strings.HasPrefix(strings.TrimSpace(code), "class ")
}

// operand leaves out closures without parameters in Rust, and references such as T&& in C++.
func operand(lang, code string, from, to int) bool {
	before := strings.TrimRight(code[:from], " \t")
	switch lang {
	case "rust":
		return !strings.HasSuffix(before, "move") && !strings.HasSuffix(before, "return")
	case "c":
		return before == "" || len(before) < from && (to == len(code) || code[to] == ' ')
	}
	return true
}

// bound is what follows where Rust names several traits that a type must have.
var bound = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:'|\?|(?:\w+::)*(?:Fn(?:Mut|Once)?\(|[A-Z]\w*[a-z]\w*(?:[^\w:({!]|$)))`)
})

// calculates leaves out texts that are put together, and the traits of a bound.
func calculates(lang, code string, _, to int) bool {
	if lang == "rust" {
		return !bound().MatchString(code[to:])
	}
	next := strings.TrimLeft(code[to:], " \t")
	return next == "" || !strings.ContainsAny(next[:1], "\"'`")
}

// another is another number.
func another(_, was string) []string {
	switch was {
	case "0":
		return []string{"1"}
	case "1":
		return []string{"0", "2"}
	}
	if n, err := strconv.ParseInt(was, 10, 62); err == nil && !strings.HasPrefix(was, "0") {
		return []string{strconv.FormatInt(n+1, 10)}
	}
	if f, err := strconv.ParseFloat(was, 64); err == nil && strings.Contains(was, ".") {
		return []string{strconv.FormatFloat(f+1, 'f', 1, 64)}
	}
	return nil
}
