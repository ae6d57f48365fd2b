package retrieval

import (
	"maps"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/pattern"
)

// FailingTest is a test that failed: its name as the runner reports it, and its place if
// that is known.
type FailingTest struct {
	Name string
	File string
	Line int
}

const (
	// maxFailing bounds the tests whose bodies are shown, maxHelperFiles the files searched
	// for their helpers.
	maxFailing, maxHelperFiles = 12, 4
	// testShare is how much of the budget failing tests may take, in percent.
	testShare = 30
)

// testTitle finds the title of a test that is a call, not a function:
// it("adds two numbers", …), test 'adds' do, @test "adds" {, TEST(Suite, adds).
var testTitle = pattern.Lazy(
	"^\\s*(?:@?(?:it|test|describe|context|specify|scenario|suite|feature|subtest|TEST_CASE|SECTION|" +
		"(?:Deno|t|bun)\\.test|(?:it|test|describe)\\.\\w+(?:\\([^)]*\\))?))\\s*\\(?\\s*[\"'`](.+?)[\"'`]|^\\s*TEST(?:_F|_P)?\\s*\\(\\s*\\w+\\s*,\\s*(\\w+)")

// titleOf returns the title of a test that a line begins.
func titleOf(line string) string {
	if len(line) > 300 || !maybeTitle(line) {
		return ""
	}
	m := testTitle().FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// maybeTitle reports, by its first word, whether a line may begin such a test. It saves
// most lines from the slow testTitle.
func maybeTitle(line string) bool {
	s := strings.TrimPrefix(strings.TrimLeft(line, " \t"), "@")
	n := 0
	for n < len(s) && (letter(s[n]) || s[n] == '_') {
		n++
	}
	switch s[:n] {
	case "it", "test", "describe", "context", "specify", "scenario", "suite", "feature", "subtest",
		"TEST_CASE", "SECTION",
		"Deno", "t", "bun", "TEST", "TEST_F", "TEST_P":
		return true
	}
	return false
}

// failingTests finds the bodies of failing tests and the helpers they use. They are shown
// first, and their words rank the sources.
func (r *ranking) failingTests() string {
	var body strings.Builder
	for _, t := range r.n.Tests[:min(len(r.n.Tests), maxFailing)] {
		i := r.ix.known(r.root, t.File)
		if t.File == "" || i < 0 || !r.ix.docs[i].test { // it failed in code that it calls
			t.Line = 0
			i = r.testFile(t)
		}
		if i < 0 {
			continue
		}
		if !slices.Contains(r.failing, i) {
			r.failing = append(r.failing, i)
		}
		c := r.testCandidate(i)
		if c == nil {
			continue
		}
		for b := range c.blocks {
			if !c.taken[b] && c.blocks[b].isTest(t) {
				r.takeDeclaration(c, b, &body)
			}
		}
	}
	if body.Len() == 0 {
		return ""
	}
	m := namesIn(body.String())
	var helpers strings.Builder
	for _, name := range m.sortedNames() {
		r.helpersNamed(name, &helpers)
	}
	return body.String()
}

// isTest reports whether a block is or contains the failing test.
func (b block) isTest(t FailingTest) bool {
	if t.Line > 0 && t.Line > b.from && t.Line <= b.to {
		return true
	}
	if b.name == "" || len(b.name) < 3 {
		return false
	}
	if rest, ok := strings.CutSuffix(t.Name, b.name); ok {
		return rest == "" || !identByte(rest[len(rest)-1])
	}
	// TestX/case, test_x[param], test_x(module.Case)
	rest, ok := strings.CutPrefix(t.Name, b.name)
	if !ok {
		_, rest, ok = strings.Cut(t.Name, "."+b.name)
	}
	if !ok {
		_, rest, ok = strings.Cut(t.Name, "::"+b.name)
	}
	return ok && rest != "" && strings.IndexByte("/[( ", rest[0]) >= 0
}

// endOf returns the block behind the declaration that a block begins: what is declared inside
// of it has blocks of its own.
func (c *candidate) endOf(b int) int {
	_, end := extent(c.lines, max(c.blocks[b].head(c.lang, c.lines), c.blocks[b].from))
	next := b + 1
	for next < len(c.blocks) && c.blocks[next].from < end {
		next++
	}
	return next
}

// testFile finds the file of a failing test by its name alone: the file that the name
// mentions, that defines it, or that has most of the words of its title.
func (r *ranking) testFile(t FailingTest) int32 {
	m := r.ix.mentioned(t.Name)
	for _, i := range slices.Sorted(maps.Keys(m.files)) {
		if r.ix.docs[i].test && m.files[i] >= 0.5 && !r.excluded(i) {
			return i
		}
	}
	words := strings.FieldsFunc(t.Name, func(c rune) bool { return !identByte(byte(min(c, 0x80))) })
	slices.Reverse(words)
	for _, w := range words {
		for _, i := range r.ix.definers(w) {
			if r.ix.docs[i].test && !r.excluded(i) {
				return i
			}
		}
	}
	q := map[term]float64{}
	r.ix.query(t.Name, 1, q)
	best, most := int32(-1), 0.0
	for i, v := range r.ix.bm25(q) {
		if d := &r.ix.docs[i]; d.test && v > most && !r.excluded(int32(i)) {
			best, most = int32(i), v
		}
	}
	return best
}

// testCandidate reads a test file once.
func (r *ranking) testCandidate(i int32) *candidate {
	for _, c := range r.tests {
		if c.i == i {
			return c
		}
	}
	text, ok := r.load(i)
	if !ok {
		return nil
	}
	c := &candidate{i: i, text: text}
	c.cut(r.ix.docs[i].lang)
	r.tests = append(r.tests, c)
	return c
}

// takeDeclaration takes the declaration that a block begins.
func (r *ranking) takeDeclaration(c *candidate, b int, body *strings.Builder) {
	for in := b; in < c.endOf(b); in++ {
		r.takeTest(c, in, body)
	}
}

// takeTest takes a block of a test if there is room.
func (r *ranking) takeTest(c *candidate, b int, body *strings.Builder) {
	size := c.blocks[b].bytes
	if c.taken[b] || r.testBytes+size > r.n.Budget*testShare/100 {
		return
	}
	c.taken[b] = true
	c.bytes += size
	r.testBytes += size
	for _, line := range c.lines[c.blocks[b].from:c.blocks[b].to] {
		body.WriteString(line)
	}
}

// only returns the block of the one function or type of a name, -1 where a file has none or
// several: those stand inside of tests.
func (c *candidate) only(name string) int {
	found := -1
	for b, block := range c.blocks {
		switch {
		case block.name != name || block.titled:
		case found < 0:
			found = b
		case b == 0 || c.blocks[b-1].name != name || b >= c.endOf(found): // else it goes on with the same one
			return -1
		}
	}
	return found
}

// helpersNamed takes the functions and fixtures that a test's body mentions, from its own
// file or from helper files.
func (r *ranking) helpersNamed(name string, body *strings.Builder) {
	for _, c := range r.tests {
		if b := c.only(name); b >= 0 {
			r.takeDeclaration(c, b, body)
		}
	}
	in := r.ix.definers(name)
	if len(in) > 3 {
		return
	}
	for _, i := range in {
		if !r.ix.docs[i].test || len(r.tests) >= maxFailing+maxHelperFiles ||
			slices.ContainsFunc(r.tests, func(c *candidate) bool { return c.i == i }) {
			continue
		}
		if c := r.testCandidate(i); c != nil {
			if b := c.only(name); b >= 0 {
				r.takeDeclaration(c, b, body)
			}
		}
	}
}
