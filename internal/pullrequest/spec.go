package pullrequest

import (
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/runner"
)

// Spec is work on a pending test that already has a pull request.
type Spec struct {
	Task runner.Task
	Pull github.PullRequest
	// Base is the newest commit of the base.
	Base string
	// Used and Of count attempts over all runs.
	Used, Of int
	// Asked is what else to do although the checks pass here, or "".
	Asked string
	// Title returns the pull request's title after a run, which people do not edit.
	Title func() string
	// Ahead returns the commit of an attempt that the current run has pushed, or "". The next push
	// goes on top of it.
	Ahead func() string
}

// task is the spec's task with what else is asked.
func (sp Spec) task() runner.Task {
	t := sp.Task
	if sp.Asked != "" {
		t.Text += "\n" + sp.Asked
	}
	return t
}

// earlier is what its pull request says about earlier work. The queue counts the attempts.
func (sp Spec) earlier(attempts int) earlier {
	e := earlierOn(&sp.Pull)
	e.attempts = attempts
	return e
}
