package prompt

import (
	"embed"
	"fmt"
	"strings"
)

// The words of a request lie in files of their own. A name in double braces is
// filled in; there is no other syntax, which keeps text/template, and the
// megabytes it makes the linker keep, out of the binary.
//
//go:embed templates/*.md
var templates embed.FS

func words(name string, fill ...string) (string, error) {
	data, err := templates.ReadFile("templates/" + name + ".md")
	if err != nil {
		return "", fmt.Errorf("no prompt template %s: %w", name, err)
	}
	text := strings.TrimSuffix(string(data), "\n")
	if len(fill) == 0 {
		return text, nil
	}
	return strings.NewReplacer(fill...).Replace(text), nil
}

// system returns the stable part: the same for every editing request of a run, so that
// providers' prompt caches hit.
func (in Input) system() (string, error) {
	if in.Role == "review" || in.Role == "review-tests" {
		return words(in.Role, "{{repo}}", in.Repo, "{{nonce}}", in.Nonce)
	}
	tests, err := words("tests-" + or(in.TestEdits, "judge"))
	if err != nil {
		return "", err
	}
	format := in.EditFormat
	if format != "whole" {
		format = "search-replace"
	}
	if format, err = words("format-" + format); err != nil {
		return "", err
	}
	rules, err := words("rules", "{{repo}}", in.Repo, "{{protected}}", in.protectedList(), "{{tests}}", tests,
		"{{nonce}}", in.Nonce, "{{format}}", format+"\n")
	if err != nil || !in.MayLook {
		return rules, err
	}
	looking, err := words("look")
	return rules + "\n\n" + looking, err
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// role returns the purpose of the request. It comes last, so that everything before can be
// the same for all roles.
func (in Input) role() (string, error) {
	switch {
	case in.Role == "review" || in.Role == "review-tests":
		return "", nil
	case in.OldTests != "":
		return words("stood")
	}
	evidence := ""
	if in.AskEvidence {
		evidence = " Add tests that fail without your change and pass with it."
	}
	return words(in.Role, "{{evidence}}", evidence)
}

func (in Input) diffHeading() string {
	if in.OldTests != "" {
		return "Your change:"
	}
	return "The change to review:"
}

// user returns the variable part. What stays the same comes first: conventions, tree, task
// and the files as first shown, then what each later request has added; stable are the
// lengths up to the end of each. What has changed, the failure, the attempt's number and the
// role come last.
func (in Input) user(role string) (text string, stable []int) {
	w := writer{nonce: in.Nonce}
	for _, f := range in.Conventions {
		w.data("", "conventions "+f.Path, f.Content)
	}
	more := ""
	if strings.HasSuffix(in.Tree, cutMark) {
		more = " (not all)"
	}
	w.data("Files of the repository"+more+":", "tree", in.Tree)
	w.data("The task:", "task", in.Task)
	if len(in.Files) > 0 {
		w.WriteString("Files:\n\n")
	}
	for _, f := range in.Files {
		w.file(f)
	}
	stable = append(stable, w.Len())
	for _, r := range in.Rounds {
		w.round(r)
		stable = append(stable, w.Len())
	}
	w.now(in.Now, in.Gone)
	for _, a := range in.Answers {
		w.data("You asked who gave the task:", "question", a.Question)
		w.data("The answer:", "answer", a.Answer)
	}
	w.data("What the checks said before the change:", "output", in.Was)
	w.data(in.diffHeading(), "diff", in.Diff)
	w.data("The tests as they stood before the change:", "tests", in.OldTests)
	w.data("About the last attempt:", "output", in.RolledBack)
	about := "What the checks say of the files as they are now:"
	if in.Before {
		about = "What the checks said before your work already; it is not what the task is about, but has " +
			"to pass in the end:"
	}
	if in.Role == "review-tests" {
		about = "How they fail with the change:"
	}
	w.data(about, "output", in.Failure)
	w.data("These failed before your work; leave them unless the task is about them:", "tests", in.Old)
	if in.LastSummary != "" {
		w.WriteString("The last attempt meant to do this: " + in.LastSummary + "\n")
	}
	w.problems("Your last reply could not be applied as it was. Fix this and answer again:", in.Problems)
	if len(in.Problems) > 0 && len(in.Kept) > 0 {
		w.WriteString("The other edits of that reply were fine and are kept, though the files above do " +
			"not show them yet: " +
			strings.Join(in.Kept, ", ") +
			". Give only what is named above again, in full; your answer is added to them.\n")
	}
	switch {
	case !in.MayLook || len(in.Rounds)+len(in.Answers) == 0 && in.LooksLeft > 0:
	case in.LooksLeft == 0:
		w.WriteString("No more look-ups: answer with edits now.\n")
	default:
		fmt.Fprintf(&w, "More look-ups allowed: %d.\n", in.LooksLeft)
	}
	switch {
	case in.Attempt > 1:
		fmt.Fprintf(&w, "This is attempt %d of %d. Return only files that need a change.\n", in.Attempt,
			in.Max)
	case in.Attempt == 1:
		fmt.Fprintf(&w, "This is attempt 1 of %d.\n", in.Max)
	}
	w.WriteString(role)
	return w.String(), stable
}

// writer puts foreign text between delimiters.
type writer struct {
	strings.Builder
	nonce string
}

// file writes the shown part of a file.
func (w *writer) file(f File) {
	label := "file " + f.Path
	switch f.Part {
	case "outline":
		label = "outline of " + label
	case "excerpt":
		label = "parts of " + label
	}
	w.block(label, f.Content)
}

// round writes what a request has added: files, and what became of the model's requests.
func (w *writer) round(r Round) {
	if len(r.Looks) == 0 && len(r.Files) > 0 {
		w.WriteString("More files:\n\n")
	}
	var b strings.Builder
	for _, l := range r.Looks {
		fmt.Fprintf(&b, "%s: %s\n", l.Request, l.Result)
		b.WriteString(l.Found)
		if l.Found != "" && !strings.HasSuffix(l.Found, "\n") {
			b.WriteByte('\n')
		}
	}
	w.data("What you asked to see:", "looks", b.String())
	for _, f := range r.Files {
		w.file(f)
	}
}

// now writes what is not as it was shown.
func (w *writer) now(files []File, gone []string) {
	if len(files) > 0 {
		w.WriteString("These parts of files have changed since they were shown above. This is how they are now:\n\n")
	}
	for _, f := range files {
		w.file(f)
	}
	if len(gone) > 0 {
		w.WriteString("These files are no longer there: " + strings.Join(gone, ", ") + "\n\n")
	}
}

// data writes a text with its heading, or nothing if there is no text.
func (w *writer) data(heading, label, text string) {
	if text == "" {
		return
	}
	if heading != "" {
		w.WriteString(heading + "\n")
	}
	w.block(label, showHidden(text))
}

// block writes a text between its delimiters; an empty file is a block too.
func (w *writer) block(label, text string) {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	fmt.Fprintf(w, "[[begin %s %s]]\n%s[[end %s]]\n\n", label, w.nonce, text, w.nonce)
}

func (w *writer) problems(heading string, ps []Problem) {
	if len(ps) == 0 {
		return
	}
	var b strings.Builder
	for _, p := range ps {
		b.WriteString("- ")
		if p.Path != "" {
			b.WriteString(p.Path + ": ")
		}
		b.WriteString(p.Reason + "\n")
	}
	w.data(heading, "problems", b.String())
}
