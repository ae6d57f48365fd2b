package guard

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/pkg/edit"
)

// What Policy.TestEdits may say.
const (
	Add   = "add"
	Deny  = "deny"
	Allow = "allow"
)

// Policy is what the user allows.
type Policy struct {
	// TestEdits is Add (also when empty): new test files, and whole new lines in
	// old ones; Deny: no test file at all; Allow: any.
	TestEdits string
	// TestPaths are globs of test files beside the known conventions, Protected
	// those of files never to touch. One without a slash fits at any depth, and one
	// that fits a directory fits all below it.
	TestPaths, Protected []string
	// Allow are globs of files that may be touched whatever TestEdits and Protected
	// say.
	Allow []string
	// The limits of a whole proposal; 0 is none.
	MaxFiles, MaxDiffLines, MaxFileLines int
	// Commands are the test command, the gates and the rerun command: scripts that
	// they name start the runner.
	Commands []string
	// OwnFiles are the files that the model itself made in this run, which it may
	// change and remove again.
	OwnFiles map[string]bool
	// Base gives a file as it stood before the run, so that lines which the model
	// added to an old test it may take back. Without it, what stands counts as old.
	Base func(path string) (content []byte, existed bool)
}

// The kinds of refusal.
const (
	KindPath      = "path"
	KindProtected = "protected"
	KindTest      = "test"
	KindRunner    = "runner"
	// KindShadow is what would stand in for the runner: nothing allows it.
	KindShadow = "shadow"
	KindLimit  = "limit"
)

// Refusal is a change that may not be applied.
type Refusal struct {
	// Path is the path of the change; for a rename, the end that is at fault.
	Path string
	// Reason is a sentence for the model and the user.
	Reason string
	Kind   string
}

// Guard judges proposals against one policy in one checkout.
type Guard struct {
	policy Policy
	tree   Tree
	fold   bool
	named  namedScripts
	checks func() string // see checksText
}

// New validates the policy's globs and words.
func New(p Policy, t Tree) (*Guard, error) {
	switch p.TestEdits {
	case "":
		p.TestEdits = Add
	case Add, Deny, Allow:
	default:
		return nil, fault.New(fault.Usage, "use add, deny or allow", "test_edits: unknown word %q", p.TestEdits)
	}
	for key, globs := range map[string][]string{"test_paths": p.TestPaths, "protected_paths": p.Protected, "--allow": p.Allow} {
		for _, glob := range globs {
			if !doublestar.ValidatePattern(glob) {
				return nil, fault.New(fault.Usage, "see the glob syntax: *, **, ?, [a-z], {a,b}", "%s: invalid glob %q", key, glob)
			}
		}
	}
	g := &Guard{policy: p, tree: t, fold: t.CaseFold()}
	g.named = scriptsOf(p.Commands, t)
	g.checks = sync.OnceValue(func() string { return checksText(p.Commands, t) })
	return g, nil
}

// SetAside is what of a file's change is for a person to judge.
type SetAside struct {
	event.SetAside
	// Change makes of the file, with what was kept, what the proposal asked for.
	Change edit.Change
}

// Verdict parts a proposal. A file may be in all three lists: hunks are judged, not
// files.
type Verdict struct {
	// Kept is what may be applied.
	Kept []edit.Change
	// SetAside changes what stood in tests before.
	SetAside []SetAside
	// Refused is what may not be done.
	Refused []Refusal
	// Notes are for the user: what is kept and worth a look.
	Notes []string
}

// Review judges a proposal. The error is of the checkout (a file that cannot be
// read), not of the proposal.
func (g *Guard) Review(changes []edit.Change) (Verdict, error) {
	var v Verdict
	seen := map[string]bool{}
	for _, c := range changes {
		kept := len(v.Kept) + len(v.SetAside)
		if err := g.judge(c, seen, &v); err != nil {
			return Verdict{}, err
		}
		if len(v.Kept)+len(v.SetAside) == kept {
			continue
		}
		for _, p := range ends(c) {
			seen[g.key(p)] = true
		}
	}
	if reason := g.overLimit(v.Kept); reason != "" {
		for _, c := range v.Kept {
			v.Refused = append(v.Refused, Refusal{Path: c.Path, Reason: reason, Kind: KindLimit})
		}
		v.Kept, v.SetAside = nil, nil
	}
	for _, c := range v.Kept {
		if n := silenced(c.Old, c.New); n > 0 && languageOf(c.Path) != nil {
			v.Notes = append(v.Notes, fmt.Sprintf("%s silences %d more of what linters or type checkers say", c.Path, n))
		}
	}
	for i := range v.Refused {
		r := &v.Refused[i]
		r.Reason += wayOut(r.Kind, r.Path)
	}
	for i := range v.SetAside {
		a := &v.SetAside[i]
		a.Reason += wayOut(KindTest, a.Path)
	}
	return v, nil
}

// wayOut names what allows a change.
func wayOut(kind, p string) string {
	setting := "test_edits: allow"
	switch kind {
	case KindProtected:
		setting = "protected_paths"
	case KindTest, KindRunner:
	default:
		return ""
	}
	if strings.ContainsAny(p, " '\"$&;()|<>*?[]{}!`") {
		p = "'" + strings.ReplaceAll(p, "'", `'\\''`) + "'"
	}
	return fmt.Sprintf(" (The user may allow it: --allow %s for one run, %s for good.)", p, setting)
}

func (g *Guard) allows(p string) bool { return g.matching(g.policy.Allow, p) != "" }

// judge looks at one change and adds to the verdict what becomes of it; seen holds
// the paths of those that are not refused.
func (g *Guard) judge(c edit.Change, seen map[string]bool, v *Verdict) error {
	r, err := g.checkChange(c, seen)
	if err != nil {
		return err
	}
	if r != nil {
		v.Refused = append(v.Refused, *r)
		return nil
	}
	steps, err := g.steps(c)
	if err != nil {
		return err
	}
	var aside SetAside // the whole
	for _, s := range steps {
		switch r := g.judgeStep(s); {
		case r.why == "" && r.parts == nil:
		case r.parts != nil && len(steps) == 1:
			g.addParts(c, s, *r.parts, r.kind, v)
			return nil
		case r.parts != nil && len(r.parts.refused) > 0:
			v.Refused = append(v.Refused, Refusal{s.path, r.parts.refused[0], r.kind})
			return nil
		case r.parts != nil:
			aside.Path, aside.Reason = s.path, r.parts.why
		case r.aside:
			aside.Path, aside.Reason = s.path, r.why
		default:
			v.Refused = append(v.Refused, Refusal{s.path, r.why, r.kind})
			return nil
		}
	}
	if aside.Reason == "" {
		v.Kept = append(v.Kept, c)
		return nil
	}
	aside.Change = c
	if c.Op == edit.Create || c.Op == edit.Modify {
		old := splitLines(string(steps[0].before))
		for _, e := range lineEdits(old, splitLines(string(c.New))) {
			aside.Hunks = append(aside.Hunks, e.hunk(old))
		}
	}
	v.SetAside = append(v.SetAside, aside)
	return nil
}

// addParts adds to the verdict what became of the hunks of one file.
func (g *Guard) addParts(c edit.Change, s step, p parts, kind string, v *Verdict) {
	for _, reason := range p.refused {
		v.Refused = append(v.Refused, Refusal{s.path, reason, kind})
	}
	kept := c
	kept.New = []byte(p.text)
	stands := c.Old
	if c.Op == edit.Create {
		stands = s.before
	}
	if !bytes.Equal(kept.New, stands) {
		v.Kept = append(v.Kept, kept)
	}
	if len(p.aside) == 0 {
		return
	}
	x := SetAside{Change: edit.Change{Op: edit.Modify, Path: c.Path, Old: kept.New, New: []byte(p.asked), Mode: c.Mode}}
	x.Path, x.Reason, x.Hunks = c.Path, p.why, p.aside
	v.SetAside = append(v.SetAside, x)
}

// checkChange asks whether a change may be looked at, at all.
func (g *Guard) checkChange(c edit.Change, seen map[string]bool) (*Refusal, error) {
	switch c.Op {
	case edit.Create, edit.Modify, edit.Delete, edit.Rename:
	default:
		return &Refusal{c.Path, fmt.Sprintf("%q is nothing that can be done to a file.", c.Op), KindPath}, nil
	}
	if c.Mode.Type() != 0 {
		return &Refusal{c.Path, "Only regular files may be written.", KindPath}, nil
	}
	for _, p := range ends(c) {
		if r, err := g.checkPlace(p, seen); r != nil || err != nil {
			return r, err
		}
	}
	return nil, nil
}

// ends are the paths that a change touches.
func ends(c edit.Change) []string {
	if c.Op == edit.Rename {
		return []string{c.From, c.Path}
	}
	return []string{c.Path}
}

// checkPlace asks whether a path may be touched at all.
func (g *Guard) checkPlace(p string, seen map[string]bool) (*Refusal, error) {
	if err := CheckPath(p); err != nil {
		return &Refusal{p, "The path may not be used: " + err.Error() + ".", KindPath}, nil //nolint:nilerr // the refusal tells it
	}
	if seen[g.key(p)] {
		return &Refusal{p, "Another part of this reply already changes this file.", KindPath}, nil
	}
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if seen[g.key(dir)] {
			return &Refusal{p, "Another part of this reply makes " + dir + " a file.", KindPath}, nil
		}
	}
	if reason, err := g.checkOnDisk(p); reason != "" || err != nil {
		return &Refusal{p, reason, KindPath}, err
	}
	if glob := g.matching(g.policy.Protected, p); glob != "" && !g.allows(p) {
		return &Refusal{p, fmt.Sprintf("The path is protected (%s); leave it as it is.", glob), KindProtected}, nil
	}
	return nil, nil
}

// checkOnDisk looks at what stands at the path and above it: a link could lead
// anywhere, also after it was looked at, so none is followed.
func (g *Guard) checkOnDisk(p string) (reason string, err error) {
	parts := strings.Split(p, "/")
	for i := range parts {
		at := strings.Join(parts[:i+1], "/")
		kind, err := g.tree.Kind(at)
		if err != nil {
			return "", err
		}
		last := i == len(parts)-1
		switch {
		case kind == Absent:
			return "", nil
		case kind == Symlink && last:
			return "The path is a symbolic link; name the file itself.", nil
		case kind == Symlink:
			return at + " is a symbolic link; name the path that it leads to.", nil
		case kind == Submodule:
			return at + " is a submodule or another repository; its files are not part of this one.", nil
		case kind == Other:
			return at + " is not a regular file.", nil
		case kind == File && !last:
			return at + " is a file, not a directory.", nil
		case kind == Dir && last:
			return "The path is a directory.", nil
		}
	}
	return "", nil
}

// matching gives the first glob that fits the path or a directory above it.
func (g *Guard) matching(globs []string, p string) string {
	for _, glob := range globs {
		pattern := strings.TrimSuffix(g.key(strings.TrimPrefix(glob, "./")), "/")
		pattern = strings.TrimPrefix(pattern, "/")
		if !strings.Contains(glob, "/") {
			pattern = "**/" + pattern
		}
		for at := g.key(p); at != "." && at != "/"; at = path.Dir(at) {
			if doublestar.MatchUnvalidated(pattern, at) {
				return glob
			}
		}
	}
	return ""
}

// key is the form in which paths of this checkout are compared.
func (g *Guard) key(p string) string {
	p = norm.NFKC.String(p)
	if g.fold {
		p = foldCase(p)
	}
	return p
}

// IsTest tells whether a path is one of a test file, of what configures or starts
// the runner, or of data that tests read. Files of which only a part concerns
// tests (package.json, a make file) are not test files.
func (g *Guard) IsTest(p string) bool {
	switch g.roleOf(p) {
	case roleTest, roleFeed, roleRunner:
		return true
	}
	return false
}

// step is one file before and after a change, with what the model itself did
// earlier in the run left out of "before".
type step struct {
	path           string
	before, after  []byte
	existed, stays bool
}

func (g *Guard) steps(c edit.Change) ([]step, error) {
	switch c.Op {
	case edit.Rename:
		gone, err := g.before(c.From, c.Old, true)
		if err != nil {
			return nil, err
		}
		come, err := g.before(c.Path, nil, false)
		if err != nil {
			return nil, err
		}
		if g.key(c.From) == g.key(c.Path) {
			come.before, come.existed = nil, false // the same file, respelled
		}
		come.after, come.stays = c.New, true
		return []step{gone, come}, nil
	case edit.Delete:
		s, err := g.before(c.Path, c.Old, true)
		return []step{s}, err
	}
	s, err := g.before(c.Path, c.Old, c.Op == edit.Modify)
	s.after, s.stays = c.New, true
	return []step{s}, err
}

func (g *Guard) before(p string, old []byte, known bool) (step, error) {
	s := step{path: p}
	if g.isOwn(p) {
		return s, nil
	}
	if g.policy.Base != nil {
		if s.before, s.existed = g.policy.Base(p); s.existed {
			return s, nil
		}
	}
	// What the base does not hold and the model did not make is old nevertheless:
	// git ignores it, or somebody else put it there.
	if known {
		s.before, s.existed = old, true
		return s, nil
	}
	// Said to be new: what stands there, perhaps under another spelling, counts.
	kind, err := g.tree.Kind(p)
	if err != nil || kind != File {
		return s, err
	}
	s.before, err = g.tree.ReadFile(p)
	s.existed = err == nil
	return s, err
}

func (g *Guard) isOwn(p string) bool {
	if g.policy.OwnFiles[p] {
		return true
	}
	if !g.fold {
		return false
	}
	for own, is := range g.policy.OwnFiles {
		if is && g.key(own) == g.key(p) {
			return true
		}
	}
	return false
}

// ruling is what is found about one file: nothing, an objection to the whole, or
// what becomes of its hunks.
type ruling struct {
	objection
	kind  string
	parts *parts
}

func forbid(why, kind string) ruling { return ruling{objection: refuse(why), kind: kind} }

func hunkwise(p parts, kind string) ruling {
	if p.whole() {
		return ruling{}
	}
	return ruling{kind: kind, parts: &p}
}

// judgeStep applies the rules about tests and the runner to one file.
func (g *Guard) judgeStep(s step) ruling {
	if s.existed && s.stays && bytes.Equal(s.before, s.after) {
		return ruling{}
	}
	role := g.roleOf(s.path)
	if role != roleShadow && g.hidesLibrary(s) {
		role = roleShadow
	}
	lang := languageOf(s.path)
	switch {
	case role == roleProduct && isGoHelper(s):
		role = roleTest
	case role == roleProduct && g.servesTests(s, lang):
		if role = roleFeed; lang != nil {
			role = roleTest
		}
	case role == roleFeed && lang == nil && testfile.Of(s.path+".sh") == testfile.Case:
		if lang = interpreted(s.before); lang == nil {
			lang = interpreted(s.after)
		}
		if lang != nil {
			role = roleTest // a script without an extension
		}
	}
	if role == roleShadow && s.stays {
		return forbid("The file would stand in for the test runner or its library; write product code only.", KindShadow)
	}
	if g.policy.TestEdits == Allow || g.allows(s.path) {
		if role != roleProduct {
			return ruling{}
		}
		return forbid(judgeProduct(s), KindTest)
	}
	switch role {
	case roleShadow:
		return forbid("The file belongs to the test runner or its library; leave it as it is.", KindShadow)
	case roleRunner:
		return g.judgeRunner(s)
	case roleFeed:
		return ruling{objection: g.judgeFeed(s), kind: KindTest}
	case roleTest:
		return g.judgeTest(s, lang)
	}
	if why := judgeProduct(s); why != "" {
		return forbid(why, KindTest)
	}
	return g.judgePartly(s)
}

// judgeRunner lets comments of a runner file change, and nothing else.
func (g *Guard) judgeRunner(s step) ruling {
	if lang := languageOf(s.path); lang != nil && s.existed && s.stays {
		sorted := sortEdits(lang, s.path, splitLines(string(s.before)), splitLines(string(s.after)))
		if len(sorted.adds)+len(sorted.changes) == 0 {
			return ruling{}
		}
	}
	return forbid("The file configures or starts the test runner; leave it as it is.", KindRunner)
}

// judgePartly judges a product file of which a part concerns tests.
func (g *Guard) judgePartly(s step) ruling {
	if why := g.judgeGate(s); why != "" {
		return forbid(why, KindRunner)
	}
	runner := func(after string) objection {
		s.after = []byte(after)
		return refuse(g.judgePartRunner(s))
	}
	inline := func(after string) objection {
		s.after = []byte(after)
		return g.judgeInline(s)
	}
	after := string(s.after)
	for _, part := range []struct {
		judge func(string) objection
		kind  string
	}{{runner, KindRunner}, {inline, KindTest}} {
		o := part.judge(after)
		if o.why == "" {
			continue
		}
		if s.existed && s.stays {
			return hunkwise(splitBy(string(s.before), after, part.judge), part.kind)
		}
		return ruling{objection: o, kind: part.kind}
	}
	return ruling{}
}

const denied = "Tests may not be changed here. Change the code under test instead."

// judgeFeed bounds changes to data that tests read: old data stay.
func (g *Guard) judgeFeed(s step) objection {
	switch {
	case g.policy.TestEdits == Deny:
		return setAside(denied)
	case s.existed && !s.stays:
		return setAside("The file is test data that stood before; removing or renaming it changes what tests expect.")
	case s.existed:
		return setAside("The file is test data that stood before; changing it changes what tests expect.")
	}
	if owner := snapshotOwner(s.path); owner != "" && !g.isOwn(owner) {
		if kind, err := g.tree.Kind(owner); err == nil && kind == File {
			return refuse("A snapshot for the old test " + owner + " may not be written by hand.")
		}
	}
	if test := g.mockedIn(s.path); test != "" {
		return refuse("The old test " + test + " mocks that module by its name; a mock for it may not be added.")
	}
	if inMocksOfPackages(s.path) {
		return refuse("A mock beside node_modules replaces a package in all tests; mock it within a new test instead.")
	}
	return objection{}
}

// judgeTest bounds changes to a test file.
func (g *Guard) judgeTest(s step, lang *language) ruling {
	whole := func(o objection) ruling { return ruling{objection: o, kind: KindTest} }
	switch {
	case g.policy.TestEdits == Deny:
		return whole(setAside(denied))
	case s.existed && !s.stays:
		return whole(setAside("The test file stood before; deleting or renaming it takes its tests away."))
	case !s.stays:
		return ruling{}
	case !s.existed:
		return whole(refuse(g.judgeNewTest(s)))
	}
	return hunkwise(splitTest(lang, s.path, string(s.before), string(s.after)), KindTest)
}

// overLimit measures what is left of the proposal.
func (g *Guard) overLimit(kept []edit.Change) string {
	p := g.policy
	if p.MaxFiles > 0 && len(kept) > p.MaxFiles {
		return fmt.Sprintf("The reply changes %d files; at most %d may change at once (limits.max_files_changed).", len(kept), p.MaxFiles)
	}
	total := 0
	for _, c := range kept {
		added, removed := countLines(c.Old, c.New)
		total += added + removed
		// What stood before does not count: a long file may grow by what a new one may hold.
		if n := lines(c.New); p.MaxFileLines > 0 && n-lines(c.Old) > p.MaxFileLines {
			return fmt.Sprintf("%s would have %d lines; at most %d may stand in a file (limits.max_file_lines).", c.Path, n, p.MaxFileLines)
		}
	}
	if p.MaxDiffLines > 0 && total > p.MaxDiffLines {
		return fmt.Sprintf("The reply adds and removes %d lines; at most %d may change at once (limits.max_diff_lines).", total, p.MaxDiffLines)
	}
	return ""
}

func lines(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && !slices.Contains(b[len(b)-1:], '\n') {
		n++
	}
	return n
}
