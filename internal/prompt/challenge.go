package prompt

import (
	"strings"

	"github.com/booty-cli/booty/internal/tokens"
)

// MaxChallenge bounds a request for a challenge, in tokens.
const MaxChallenge = 8000

// Challenge is what a request for tests against a change is made of. The change is not in it.
type Challenge struct {
	Repo, Nonce string
	// Task is what the change is for. Was is what the checks said before it, Old names what
	// failed before and still does.
	Task, Was, Old string
	// Code are the changed parts of files as they were, Names the declarations that are new.
	Code  []File
	Names string
	// Form is an existing file of tests; nil where there is none.
	Form *File
	// Path is where the tests go, Command runs them.
	Path, Command string
	// Own is where tests go that are in a package of their own, and import Import instead of
	// being in Package, and OwnCommand runs them; "" where there is no such place.
	Own, OwnCommand, Import, Package string
	// Wrong says what was wrong with the tests of the last reply, Last.
	Wrong, Last string
	PerToken    float64
}

// The most that parts of the request take, in tokens. The code gets the rest.
const (
	maxChallengeTask  = 2500
	maxChallengeWas   = 700
	maxChallengeForm  = 1300
	maxChallengeNames = 400
	maxChallengeWrong = 500
)

// AssembleChallenge makes the request, within MaxChallenge tokens.
func AssembleChallenge(c Challenge) (Prompt, error) {
	system, err := words("challenge", "{{repo}}", c.Repo, "{{nonce}}", c.Nonce)
	if err != nil {
		return Prompt{}, err
	}
	ask, err := c.ask()
	if err != nil {
		return Prompt{}, err
	}
	c.fit(system + ask)
	w := writer{nonce: c.Nonce}
	w.data("The task:", "task", c.Task)
	if len(c.Code) > 0 {
		w.WriteString("The code before the change:\n\n")
	}
	for _, f := range c.Code {
		w.file(f)
	}
	w.data("The change adds these declarations, or gives them this form:", "declarations", c.Names)
	w.data("What the checks said before the change:", "output", c.Was)
	w.data("These tests failed before the change and still do; it is not about them:", "tests", c.Old)
	if c.Form != nil {
		w.WriteString("How tests are written here:\n\n")
		w.file(*c.Form)
	}
	stable := w.Len()
	w.data("Your last reply:", "reply", c.Last)
	w.data("It could not be used. Answer again, whole, without this fault:", "problem", c.Wrong)
	w.WriteString(ask)
	p := Prompt{System: strings.TrimSpace(system), User: strings.TrimSpace(w.String()), Stable: []int{stable}}
	p.Tokens = c.tokens(p.System) + c.tokens(p.User)
	for _, f := range c.Code {
		p.Files = append(p.Files,
			Use{Path: f.Path, Tokens: c.tokens(f.Content), Part: f.Part, Lines: f.Lines, Why: f.Why})
	}
	return p, nil
}

// ask says what is asked for, and where it goes.
func (c Challenge) ask() (string, error) {
	name, fill := "challenge-ask", []string{"{{path}}", c.Path, "{{command}}", oneLine(c.Command)}
	if c.Own != "" {
		name, fill = "challenge-ask-own",
			append(fill, "{{own}}", c.Own, "{{own-command}}", oneLine(c.OwnCommand), "{{import}}", c.Import,
				"{{package}}", c.Package)
	}
	return words(name, fill...)
}

// fit cleans all foreign text, and shortens what is too long.
func (c *Challenge) fit(fixed string) {
	clean := func(s string, most int) string { return c.cut(sanitize(s, c.Nonce), most) }
	c.Task, c.Was, c.Names = clean(c.Task, maxChallengeTask), clean(c.Was, maxChallengeWas),
		clean(c.Names, maxChallengeNames)
	c.Old, c.Wrong = clean(oneLine(c.Old), maxChallengeNames), clean(c.Wrong, maxChallengeWrong)
	c.Last = sanitize(c.Last, c.Nonce)
	left := MaxChallenge - overhead
	if c.Form != nil {
		form := cleanFiles([]File{*c.Form}, func(s string) string { return sanitize(s, c.Nonce) })[0]
		form.Content = c.cut(form.Content, maxChallengeForm)
		c.Form = &form
		left -= c.tokens(form.Content)
	}
	for _, s := range []string{fixed, c.Task, c.Was, c.Names, c.Old, c.Wrong, c.Last} {
		left -= c.tokens(s)
	}
	files := cleanFiles(c.Code, func(s string) string { return sanitize(s, c.Nonce) })
	c.Code = nil
	for i, f := range files {
		if n := c.tokens(f.Content) + itemOverhead; n > left && i > 0 || left <= 0 {
			break
		}
		f.Content = c.cut(f.Content, left)
		left -= c.tokens(f.Content) + itemOverhead
		c.Code = append(c.Code, f)
	}
}

// cut cuts the middle of a text to so many tokens.
func (c Challenge) cut(s string, most int) string {
	for n := c.tokens(s); n > most && len(s) > len(cutMark)+2; n = c.tokens(s) {
		s = cutMiddle(s, max(len(s)*max(most, 0)/n-len(cutMark)-2, 0))
	}
	return s
}

func (c Challenge) tokens(s string) int {
	return Input{PerToken: tokens.Within(c.PerToken)}.tokens(s)
}
