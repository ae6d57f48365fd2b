package prompt

import "strings"

// Dispute is what a request is made of that asks whether disputed tests of a challenge stand.
type Dispute struct {
	Repo, Nonce string
	// Task is what the change is for, Docs the code and documentation from before it, Tests the
	// tests with what is said of them.
	Task, Docs, Tests string
}

// maxDispute bounds each part of the request, in tokens.
const maxDispute = 2500

// AssembleDispute makes the request.
func AssembleDispute(d Dispute) (Prompt, error) {
	system, err := words("dispute", "{{repo}}", d.Repo, "{{nonce}}", d.Nonce)
	if err != nil {
		return Prompt{}, err
	}
	c := Challenge{Nonce: d.Nonce}
	clean := func(s string) string { return c.cut(sanitize(s, d.Nonce), maxDispute) }
	w := writer{nonce: d.Nonce}
	w.data("The task:", "task", clean(d.Task))
	w.data("The code before the change:", "code", clean(d.Docs))
	w.data("The disputed tests:", "tests", clean(d.Tests))
	p := Prompt{System: strings.TrimSpace(system), User: strings.TrimSpace(w.String())}
	p.Tokens = c.tokens(p.System) + c.tokens(p.User)
	return p, nil
}
