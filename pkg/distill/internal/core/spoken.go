package core

import (
	"cmp"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reSpoken = text.Lazy(`(?i)\b(fail(?:ed|ure|ing)?|errore?d?|crashed)\b:?(?: in| at| of|` +
		` for)?(?: the)?(?: test| case| testcase| scenario| spec)?:? ["'` + "`" + `]([^"'` + "`" +
		`]+)["'` + "`" + `][:,.]?(?: (.*))?$`)
	reNounSays = text.Lazy(`^(?:\S{1,4} )?([Tt]est [Cc]ase|Test|Spec|Scenario|Example|Suite) ["']([^"']+)` +
		`["'] (failed|passed|succeeded|skipped|started|errored|crashed)\b(.*)$`)
	reTookPast = text.Lazy(`^(?:\(|after |in |at )[\d.:\- ]+(?:m?s\b|seconds?)?\)?(?: with \d+ issues?)?`)
	reSentence = text.Lazy(`[a-z]\.$`)
	reInParens = text.Lazy(`^[# ]*(FAIL|PASS|ERROR|Fail\w*|Error)\w* in:? (?:test )?\(?(?:\d+:)*` +
		`([\w./:$' -]+?)\)?(?: \(([^()]+:\d+)\))?$`)
	// "Test adds failed", "Running test adds F".
	reTestSays = text.Lazy(`^\W*(?:[Rr]unning |[Tt]esting )?(?:[Tt]est|[Cc]ase|[Cc]heck) ([^\s"']+) ` +
		`(failed|passed|succeeded|skipped|errored|crashed|died|[.fFeExXsS])[.:!]?$|` +
		`^\W*(?:[Rr]unning|[Tt]esting|[Ee]xecuting) (\S*[./_]\S+) (failed|crashed|died) with\b.*$`)
	// "Failure in test adds (suite.Class.adds)", "... Failure in TEST(Till, Adds)".
	reInTest = text.Lazy(`(?:^|[:.] )(?:[Ff]ail(?:ure|ed)|[Ee]rror) in (?:(?i:test|case)\((.+)\)|` +
		`[Tt]est ([^\s"']+(?: \(\S+\))?)):?$|(?:error: [Ff]ailure|^FAILURE|^FAILED) in ([\w.:]*\w): (.*)$|` +
		`^\W*[Tt]est failed: (\S.*)$`)
	reFails   = text.Lazy(`^\s*([\w.$-]+) (?:has )?failed(?::| -| because) (\S.*)$`)
	rePlacedW = text.Lazy(`^(?:[─━=-]+ )?(?:\d+\. )?(Fail\w*|FAIL\w*|Error|ERROR)` +
		` ?[\[(]'?[^()\s]+:\d+(?::\d+)?'?[\])]:? +(\S.*?)(?: [─━=-]+)?$`)
)

// spoken reads a line that says in words which test failed: "Failed test 'a'",
// "error: in "a": ...", "Failure (a.R:3): name".
func (m *marked) spoken(s string) bool {
	if m.sign(s) {
		return true
	}
	if !spokenWords().Match([]byte(s)) {
		return false
	}
	if r := reNounSays().FindStringSubmatch(s); r != nil {
		m.lead, m.said, m.more = r[1]+" "+r[3], verdictOf(r[3]), strings.Trim(r[4], " .:")
		if m.more = m.more[len(reTookPast().FindString(m.more)):]; r[1] == "Suite" {
			m.said = begun // what failed stands within it
		}
		m.name = trimName(r[2])
		return true
	}
	if r := reInTest().FindStringSubmatch(s); r != nil {
		m.lead, m.said, m.name, m.sure = "in test", failed, cmp.Or(r[1], r[2], r[3], r[5]), true
		m.more = r[4]
		return true
	}
	if r := rePlacedW().FindStringSubmatch(s); r != nil {
		m.lead, m.said = r[1], failed
		m.name, m.more = cutName(r[2], "")
		return true
	}
	if r := reInParens().FindStringSubmatch(s); r != nil && !placeOnly(r[2]) && nameLike(r[2]) &&
		strings.Count(r[2], " ") < 4 {
		m.lead, m.said, m.name, m.more = r[1]+" in", cmp.Or(verdictOf(r[1]), failed), r[2], r[3]
		return true
	}
	if r := reFails().FindStringSubmatch(s); r != nil && identifier(r[1]) {
		m.tail, m.said, m.name, m.more = "failed", failed, r[1], r[2]
		return true
	}
	if !strings.ContainsAny(s, `"'`+"`") {
		return false
	}
	r := reSpoken().FindStringSubmatch(s)
	if r == nil || r[2][0] == '/' || !nameLike(r[2]) || placeOnly(r[2]) ||
		strings.Contains(r[2], ".") && !strings.Contains(r[2], " ") {
		return false
	}
	m.lead, m.said, m.name, m.more = strings.ToLower(r[1])+" test", failed, r[2], r[3]
	return true
}

// spokenWords must stand in a line that says in words that a test failed.
var spokenWords = sync.OnceValue(func() *stream.Matcher {
	return stream.NewMatcher(true, []string{"fail", "error", "crashed", "pass in", "' passed", "' started",
		"\" passed", "\" started"})
})

// sign reads a line that names a test and ends in a word or in the sign of its result:
// "Test adds failed", "Running test adds F".
func (m *marked) sign(s string) bool {
	if len(s) > 200 ||
		!strings.Contains(s, "est ") && !strings.Contains(s, "ase ") && !strings.Contains(s, "heck ") &&
			!(strings.Contains(s, "ing ") && strings.Contains(s, " with ")) {
		return false
	}
	r := reTestSays().FindStringSubmatch(s)
	if r == nil || !nameLike(r[1]+r[3]) {
		return false
	}
	r[1], r[2] = r[1]+r[3], r[2]+r[4]
	m.lead, m.name, m.sure = "test "+r[2], r[1], true
	switch r[2] {
	case ".":
		m.said = passed
	case "s", "S":
		m.said = skipped
	default:
		if m.said = verdictOf(r[2]); m.said == unknown {
			m.said = failed
		}
	}
	return true
}
