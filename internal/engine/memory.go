package engine

import (
	"slices"

	"github.com/booty-cli/booty/internal/event"
)

// Attempt is one proposal and its result.
type Attempt struct {
	// N is its number over all runs of the task.
	N       int    `json:"n"`
	Summary string `json:"summary"`
	// Prose are the sentences for the reviewer.
	Prose string       `json:"prose,omitempty"`
	Files []event.File `json:"files"`
	// LookedAt names the files that it asked to see.
	LookedAt []string `json:"looked_at,omitempty"`
	State    State    `json:"state"`
	Verdict  Verdict  `json:"verdict"`
	// Outcome is green, failing, quality, refused or rolled_back.
	Outcome string `json:"outcome"`
}

// Stage is how far a run has come before its first attempt, or before the next one after the user
// has changed the tree.
type Stage string

// The stages, one after the other.
const (
	// Begun: nothing was done yet.
	Begun Stage = ""
	// Prepared: the tree is there, and its first state is recorded.
	Prepared Stage = "prepared"
	// SetUp: the setup command has run.
	SetUp Stage = "set_up"
	// Judged: the checks have judged the tree.
	Judged Stage = "judged"
)

// Progress is whether the attempts so far lead anywhere.
type Progress string

// The kinds of progress.
const (
	// Moving: each attempt led to something new.
	Moving Progress = ""
	// Stalled: the same failure with the same change came back.
	Stalled Progress = "stalled"
	// Stuck: it came back once more, although more was in view.
	Stuck Progress = "stuck"
	// Blind: a failure of which nothing is understood came back unchanged.
	Blind Progress = "blind"
)

// Memory is all that the loop knows between two steps. It is saved after each step; resume starts
// from it. What one part of the engine works with is a struct of its own.
type Memory struct {
	Origin
	Stage Stage `json:"stage"`
	// Earlier is how many attempts other runs of the task made before this one.
	Earlier int `json:"earlier,omitempty"`
	// Seen says that the awaited test was seen to run.
	Seen     bool      `json:"seen,omitempty"`
	Attempts []Attempt `json:"attempts"`
	// Current is the state of the tree, Standing its verdict once it is judged.
	Current  State   `json:"current"`
	Standing Verdict `json:"standing"`
	// RolledBack is what the next request says about an attempt that was rolled back.
	RolledBack string `json:"rolled_back,omitempty"`
	// Progress is whether the attempts lead anywhere.
	Progress Progress `json:"progress,omitempty"`

	Resumed
	ForPerson
	Conversation
	Findings
	Challenged
	Spent
}

// Resumed is what a run knows of a tree that the user changed between two parts of it.
type Resumed struct {
	// From is the state from which the run was last resumed after the user had changed the tree,
	// FromVerdict its verdict; zero where that never happened.
	From        State   `json:"from,omitzero"`
	FromVerdict Verdict `json:"from_verdict,omitzero"`
	// Fresh is how many attempts were made before that. Their states lack what the user changed and
	// are not restored.
	Fresh int `json:"fresh,omitempty"`
	// Theirs are the paths that the user changed since the run began.
	Theirs []string `json:"theirs,omitempty"`
}

// GoOnFrom continues the run from s, which the user has changed since its last state. Earlier
// attempts stay on record, the tree is judged again, and stored replies, which were made for
// another tree, are not used. For a refine, s is also the new start of the work.
func (m *Memory) GoOnFrom(s State, theirs []string, refine bool) {
	m.From, m.Current, m.Fresh, m.Stage = s, s, len(m.Attempts), Prepared
	m.Standing, m.FromVerdict = Verdict{}, Verdict{}
	m.Replies, m.RolledBack, m.Progress = nil, "", Moving
	m.Review, m.Evidence, m.Claims, m.Survivors, m.Question = nil, nil, nil, nil, ""
	m.ChallengeOf, m.Unchallenged, m.Kept, m.Written = State{}, "", "", nil
	m.Theirs = union(m.Theirs, theirs)
	if refine {
		m.Start.State, m.Baseline = s, nil
	}
}

// floor is what remains of the run where no attempt is better.
func (m *Memory) floor() (State, Verdict) {
	switch {
	case m.From.Commit != "":
		return m.From, m.FromVerdict
	case m.Baseline == nil:
		return m.Start.State, Verdict{}
	}
	return m.Start.State, *m.Baseline
}

// used is the number of attempts that this run has made so far, total that of
// all runs of the task.
func (m *Memory) used() int  { return len(m.Attempts) }
func (m *Memory) total() int { return m.Earlier + len(m.Attempts) }

// green returns the attempt that passed, of those since the user last changed the tree; nil if none
// did.
func (m *Memory) green() *Attempt {
	for i := len(m.Attempts) - 1; i >= m.Fresh; i-- {
		if m.Attempts[i].Outcome == event.Green {
			return &m.Attempts[i]
		}
	}
	return nil
}

func (m *Memory) last() *Attempt {
	if len(m.Attempts) == 0 {
		return nil
	}
	return &m.Attempts[len(m.Attempts)-1]
}

// lastChange is the last attempt that changed something.
func (m *Memory) lastChange() *Attempt {
	for i := len(m.Attempts) - 1; i >= 0; i-- {
		if len(m.Attempts[i].Files) > 0 {
			return &m.Attempts[i]
		}
	}
	return nil
}

// Named lists the paths that the proposals named, those of the current one included. Other paths
// that changed in the tree were not proposed.
func (m *Memory) Named(underWay ...event.File) []string {
	var paths []string
	add := func(files []event.File) {
		for _, f := range files {
			for _, p := range []string{f.Path, f.From} {
				if p != "" && !slices.Contains(paths, p) {
					paths = append(paths, p)
				}
			}
		}
	}
	for _, a := range m.Attempts {
		if a.Outcome != event.RolledBack {
			add(a.Files)
		}
	}
	add(underWay)
	return paths
}

// seen reports whether an earlier attempt led to the same tree with the same
// failure: cycles of any length are found, not only a repeat of the last one.
func (m *Memory) seen(tree, signature string) bool {
	for _, a := range m.Attempts {
		if a.State.Tree == tree && a.Verdict.Signature == signature {
			return true
		}
	}
	return false
}

// after is the progress once an attempt was made.
func (m *Memory) after(a Attempt) Progress {
	switch {
	case m.Progress == Blind || a.Verdict.unreadAsBefore(m.Baseline):
		return Blind
	case a.Outcome == event.Green || !m.seen(a.State.Tree, a.Verdict.Signature):
		return m.Progress
	case m.Progress == Moving:
		return Stalled
	}
	return Stuck
}
