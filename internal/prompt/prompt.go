// Package prompt words the requests: the templates of each role, and their assembly within
// a token budget. Every request is self-contained: the task, the current files and the last
// failure, never a history. Which files and failures to show is decided elsewhere.
//
// All foreign text (task, files, output) stands between delimiters with a random nonce. The
// nonce is removed from foreign text, so that no text can end its own delimiter.
package prompt

import (
	"math"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/tokens"
)

// File is a file, or its outline, as shown to the model.
type File struct {
	Path    string
	Content string
	// Part is full, excerpt or outline; Lines are the lines shown in an excerpt.
	Part  string
	Lines [][2]int
	// Why is the reason to show it, for people; it is not part of the request.
	Why string
}

// Round is what a later request of a run adds to what the ones before it showed: files, and
// what became of the model's requests to see something.
type Round struct {
	Files []File
	Looks []Look
}

// Look is a request of the model to see something, its result in words, and what was found
// besides files.
type Look struct{ Request, Result, Found string }

// Answer is a person's answer to a question.
type Answer struct{ Question, Answer string }

// Problem is a reason why the last reply was not applied.
type Problem struct{ Path, Reason string }

// Input is everything that a request is made of.
type Input struct {
	// Role is implement, fix-tests, fix-quality, resolve-conflicts, review or
	// review-tests.
	Role string
	// Repo names the repository.
	Repo string
	// Nonce is random, of letters and digits, and the same for a whole run, so that the
	// stable part stays the same.
	Nonce string
	// Task is the text of the task; it is untrusted.
	Task         string
	Attempt, Max int
	// Failure is the distilled output of the checks.
	Failure string
	// Before reports whether Failure is from before the work and not what the task is
	// about.
	Before bool
	// Old names what failed before the work, in one line.
	Old         string
	LastSummary string
	RolledBack  string
	Problems    []Problem
	// Kept are the files whose edits in the last reply were accepted.
	Kept []string
	// Files are those that the first request showed, as they were then, sorted by importance;
	// Rounds what the requests after it added, in order. Both stay the same from request to
	// request, so that caches hit; where there is no room the last are left out first.
	Files  []File
	Rounds []Round
	// Now is the current text of what has changed since, Gone the files that were removed.
	Now         []File
	Gone        []string
	Conventions []File
	// MayLook lets the model look around first, LooksLeft is how often.
	MayLook   bool
	LooksLeft int
	// Answers are a person's answers to the model's questions.
	Answers []Answer
	// Tree lists the repository's files, one a line.
	Tree string
	// Diff is what a reviewer reads; Was is the result of the checks
	// before the change.
	Diff, Was string
	// OldTests are tests as they stood that fail with the change: the request is about these.
	OldTests string
	// EditFormat is auto, whole or search-replace; TestEdits judge, deny or allow.
	EditFormat, TestEdits string
	Protected             []string
	AskEvidence           bool
	// PerToken is how many pieces the model counts as one token (package tokens); 0 means
	// the average over models.
	PerToken float64
	// MaxTokens bounds the whole request; 0 means 60,000.
	MaxTokens int
	// Below asks for less than a request of that many tokens, which was too long: half of
	// its variable part. 0 if there was none.
	Below int
}

// Use reports what of a file went into the request.
type Use struct {
	Path   string
	Tokens int
	Part   string
	Lines  [][2]int
	Why    string
}

// Prompt is a finished request.
type Prompt struct {
	System, User string
	// Stable are the numbers of leading bytes of User that the next requests of the run share:
	// conventions, tree, task and the files first shown, then each round.
	Stable []int
	Tokens int
	Files  []Use
	// Shrinkable reports whether something could still be left out.
	Shrinkable bool
}

// tokens estimates the tokens of a text.
func (in Input) tokens(s string) int {
	return int(math.Ceil(float64(tokens.Pieces(s)) / tokens.Within(in.PerToken)))
}

// Assemble makes the request and leaves out what does not fit: first the least important
// files, then the tree, then the conventions, then the middles of long texts. The task and
// the failure always stay, shortened if necessary.
func Assemble(in Input) (Prompt, error) {
	if in.MaxTokens <= 0 {
		in.MaxTokens = 60000
	}
	in.clean()
	system, err := in.system()
	if err != nil {
		return Prompt{}, err
	}
	role, err := in.role()
	if err != nil {
		return Prompt{}, err
	}
	fixed := in.tokens(system) + in.tokens(role)
	room := in.MaxTokens - fixed
	if in.Below > 0 {
		room = min(room, in.Below-fixed) / 2
	}
	fitted := fit(in, room)
	user, stable := fitted.user(role)
	p := Prompt{
		System: strings.TrimSpace(system), User: strings.TrimSpace(user), Stable: stable,
		Shrinkable: len(fitted.shown()) > 0 || fitted.Tree != "" || len(fitted.Conventions) > 0 ||
			len(fitted.Task) > minTask,
	}
	p.Tokens = in.tokens(p.System) + in.tokens(p.User)
	for _, f := range fitted.shown() {
		p.Files = append(p.Files,
			Use{Path: f.Path, Tokens: in.tokens(f.Content), Part: f.Part, Lines: f.Lines, Why: f.Why})
	}
	if fitted.Tree != "" {
		p.Files = append(p.Files, Use{Path: ".", Tokens: in.tokens(fitted.Tree), Part: "tree"})
	}
	return p, nil
}

// clean removes the nonce and control characters from all foreign text.
func (in *Input) clean() {
	c := func(s string) string { return sanitize(s, in.Nonce) }
	in.Task, in.Failure, in.LastSummary = c(in.Task), c(in.Failure), c(oneLine(in.LastSummary))
	in.Old = c(oneLine(in.Old))
	in.RolledBack, in.Tree, in.Diff = c(in.RolledBack), c(in.Tree), c(in.Diff)
	in.Problems = cleanProblems(in.Problems, c)
	in.Files, in.Conventions = cleanFiles(in.Files, c), cleanFiles(in.Conventions, c)
	in.Now = cleanFiles(in.Now, c)
	for i, path := range in.Gone {
		in.Gone[i] = c(oneLine(path))
	}
	in.cleanRounds(c)
}

// shown are all files in the request but the conventions.
func (in Input) shown() []File {
	out := slices.Clone(in.Files)
	for _, r := range in.Rounds {
		out = append(out, r.Files...)
	}
	return append(out, in.Now...)
}

func cleanProblems(ps []Problem, c func(string) string) []Problem {
	out := make([]Problem, len(ps))
	for i, p := range ps {
		out[i] = Problem{Path: c(oneLine(p.Path)), Reason: c(p.Reason)}
	}
	return out
}

func (in *Input) cleanRounds(c func(string) string) {
	rounds, answers := make([]Round, len(in.Rounds)), make([]Answer, len(in.Answers))
	for i, r := range in.Rounds {
		rounds[i].Files = cleanFiles(r.Files, c)
		for _, l := range r.Looks {
			rounds[i].Looks = append(rounds[i].Looks,
				Look{Request: c(oneLine(l.Request)), Result: c(oneLine(l.Result)), Found: c(l.Found)})
		}
	}
	for i, a := range in.Answers {
		answers[i] = Answer{Question: c(a.Question), Answer: c(a.Answer)}
	}
	in.Rounds, in.Answers = rounds, answers
}

func cleanFiles(fs []File, c func(string) string) []File {
	out := make([]File, len(fs))
	for i, f := range fs {
		out[i] = File{Path: c(oneLine(f.Path)), Content: strings.TrimSuffix(c(f.Content), "\n"), Part: f.Part,
			Lines: f.Lines, Why: f.Why}
	}
	return out
}

// sanitize keeps tabs and line ends, and removes the nonce, NUL and invalid UTF-8.
func sanitize(s, nonce string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	for nonce != "" && strings.Contains(s, nonce) {
		s = strings.ReplaceAll(s, nonce, "")
	}
	return s
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// protectedList names the protected paths for the rules.
func (in Input) protectedList() string {
	return strings.Join(append([]string{".git", ".booty.yml"}, in.Protected...), ", ")
}
