package pullrequest

import (
	"strconv"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/runner"
)

// hidden is the beginning of the marker in every text that booty posts.
const hidden = "<!-- booty:"

// target is where the work on a task starts and where it goes. It is put together once, from what
// was found on GitHub, and never changed: what changes while publishing is the publisher's.
type target struct {
	up *Upstream
	// issue, open and spec are what the task is made from; all are nil for words and for a refine,
	// which works on the current branch.
	issue  *github.Issue
	open   *openPull
	spec   *Spec
	refine bool
	// base is what the work goes into. It has no commit for a refine, and where nothing is
	// published.
	base base
	start
	// rules are those of the base, read before new work.
	rules github.Rules
	// mode is auto, draft, none or "", as in Options.PR.
	mode string
}

// branch is the branch that a run works on, here and on GitHub.
type branch struct {
	// name is its name here, "" where the run has one already.
	name string
	// head is its name on GitHub, fork says that it is in a fork.
	head string
	fork bool
	// from is the commit that the run starts from, unless it continues the local branch (exists).
	from   string
	exists bool
	// continued reports whether earlier work is continued.
	continued bool
}

// attempts are those that earlier runs have used, and those that are left to this one. Zero
// leaves both to the settings.
type attempts struct{ used, left int }

// start is where the work on a task starts, and what is known of the work before it.
type start struct {
	earlier  earlier
	branch   branch
	attempts attempts
}

// fill fills in a job whose task is known.
func (t target) fill(j *runner.Job) {
	if t.branch.name != "" {
		j.Branch, j.Base = t.branch.name, t.up.remote+"/"+t.base.name
	}
	if t.attempts != (attempts{}) {
		j.Earlier, j.MaxAttempts = t.attempts.used, t.attempts.left
	}
	j.Shared = t.shared(j.Task)
}

// shared is the target as far as a run needs it.
func (t target) shared(task runner.Task) *runner.Shared {
	out := &runner.Shared{Subject: func(s string) string { return conventional(s) }, Drafts: t.refine}
	if t.mode != "none" {
		out.Publisher = func(at runner.Publishing) engine.Publisher { return t.publisher(at, task) }
	}
	if t.base.commit == "" && !t.refine {
		return out // nothing is done there
	}
	out.BaseName, out.BaseCommit = t.base.name, t.base.commit
	out.From, out.Exists, out.Continued = t.branch.from, t.branch.exists, t.branch.continued
	if o := t.open; o != nil {
		out.Asked = len(o.todo.checks)+len(o.todo.items) > 0 || o.todo.asked != ""
		out.Answered, out.Protected = o.todo.answersAll, o.locks
	}
	if t.spec != nil {
		out.Asked = t.spec.Asked != ""
	}
	if t.issue != nil {
		out.Subject = func(s string) string { return conventional(s, t.issue.Labels...) }
		out.Trailers = []string{"Refs: #" + strconv.Itoa(t.issue.Number)}
	}
	return out
}

// publisher makes the Publisher of a run.
func (t target) publisher(at runner.Publishing, task runner.Task) engine.Publisher {
	if t.open != nil {
		return &answerer{Publishing: at, to: t, client: t.up.client, pull: t.open.pull}
	}
	p := &publisher{Publishing: at, to: t, client: t.up.client, mark: task.Marker(), read: readMark(task),
		head: t.branch.head, wrote: t.earlier.wrote}
	if t.earlier.pull != nil {
		pull := *t.earlier.pull
		p.pull = &pull
	}
	return p
}
