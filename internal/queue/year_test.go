package queue

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/booty-cli/booty/internal/specs"
)

// world is a GitHub of pull requests alone, on which the decisions of a year are
// taken: turns that are killed half-way, labels that get lost, people who merge,
// close and take labels away.
type world struct {
	t       *testing.T
	rnd     *rand.Rand
	specs   []specs.Spec
	pending map[string]bool
	pulls   []*worldPull
	// merged counts how often the work on a spec went in.
	merged             map[string]int
	turns, kills, asks int
}

type worldPull struct {
	Pull
	used int
}

// situation is what a turn reads.
func (w *world) situation() Situation {
	s := Situation{Labels: label, AutoMerge: true, Asked: map[string]bool{}, Past: map[string]Pull{}}
	for _, spec := range w.specs {
		if w.pending[spec.ID] {
			s.Specs = append(s.Specs, spec)
		}
	}
	for _, p := range w.pulls {
		if !p.Closed {
			s.Open = append(s.Open, p.Pull)
		}
	}
	return s
}

func (w *world) find(n int) *worldPull { return w.pulls[n-1] }

// killed reports whether the turn ends here, as one in thirty steps does.
func (w *world) killed() bool {
	if w.rnd.IntN(30) > 0 {
		return false
	}
	w.kills++
	return true
}

// turn takes the steps of one call and reports whether there was nothing to do.
func (w *world) turn() (idle bool) {
	w.turns++
	s := w.situation()
	for range maxSteps {
		step := next(s)
		switch step.Kind {
		case Ask:
			w.asks++
			w.answer(&s, step.IDs)
			continue
		case Idle:
			return true
		case Wait, AwaitMerge:
			return false
		}
		if w.killed() {
			return false
		}
		switch step.Kind {
		case Tidy:
			s.Merged = s.Merged[1:]
			p := w.find(step.Pull.Number)
			p.Labels = []string{label.Queue()}
		case Relabel:
			p := w.find(step.Pull.Number)
			p.Labels = append(p.Labels, label.Queue())
			change(&s, p.Number, func(q *Pull) { q.Labels = p.Labels })
		case Merge:
			p := w.find(step.Pull.Number)
			p.AutoMerge = true
			change(&s, p.Number, func(q *Pull) { q.AutoMerge = true })
		case Begin:
			w.begin(step.Spec)
			return false
		case Continue:
			w.run(w.find(step.Pull.Number))
			return false
		default:
			w.t.Fatalf("turn %d: %+v", w.turns, step)
		}
	}
	w.t.Fatal("a turn does not settle")
	return false
}

func (w *world) answer(s *Situation, ids []string) {
	for _, id := range ids {
		s.Asked[id] = true
	}
	for _, p := range slices.Backward(w.pulls) {
		if _, have := s.Past[p.Spec]; p.Closed && !have && slices.Contains(ids, p.Spec) {
			s.Past[p.Spec] = p.Pull
		}
		if p.Merged && p.has(label.States()...) {
			s.Merged = append(s.Merged, p.Pull)
		}
	}
}

func (w *world) begin(spec specs.Spec) {
	for _, p := range w.pulls {
		if !p.Closed && (p.Spec == spec.ID || p.Draft && !p.has(label.Held()...)) {
			w.t.Fatalf("turn %d: %s is begun beside #%d (%s)", w.turns, spec.ID, p.Number, p.Spec)
		}
	}
	p := &worldPull{Pull: Pull{Number: len(w.pulls) + 1, Spec: spec.ID, Draft: true,
		Title: Title{spec.ID, 1, 5}.String()}}
	w.pulls = append(w.pulls, p)
	if w.killed() {
		return
	}
	p.Labels = []string{label.Queue()}
	w.run(p)
}

// run is a run on a spec, with an outcome as dice say.
func (w *world) run(p *worldPull) {
	r := Run{Of: 5, Settled: p.has(label.Conflict())}
	dice := w.rnd.IntN(100)
	switch {
	case dice < 6 || p.Conflicts:
		r.Outcome, r.Settled, p.Conflicts = "green", true, false
	case dice < 75:
		r.Outcome = "green"
	case dice < 80:
		r.Outcome = "stuck"
	case dice < 83:
		r.Outcome = "budget"
	case dice < 88:
		r.Outcome, r.ExitCode = "model_failed", 6
	case dice < 90:
		r.Outcome, r.ExitCode = "environment", 9
	default:
		r.Outcome = "exhausted"
	}
	p.used = min(p.used+1, 5)
	p.Draft, p.FailedChecks, p.WaitedEnough = true, nil, false
	if w.killed() {
		return
	}
	e := label.End(r)
	if e.Ready {
		p.Draft = false
		if w.killed() {
			return
		}
	}
	p.Labels = slices.DeleteFunc(p.Labels, func(l string) bool { return slices.Contains(e.Remove, l) })
	p.Labels = append(p.Labels, e.Add...)
	if e.Merge && !w.killed() {
		p.AutoMerge = true
	}
}

// others is what GitHub and people do between two turns.
func (w *world) others() {
	for _, p := range w.pulls {
		if p.Closed {
			continue
		}
		ready := !p.Draft && p.has(label.Queue()) && !p.has(label.Held()...)
		switch dice := w.rnd.IntN(100); {
		case ready && (p.AutoMerge && dice < 70 || p.has(label.Conflict()) && dice < 30):
			p.Closed, p.Merged = true, true
			w.merged[p.Spec]++
			w.pending[p.Spec] = false
		case dice == 70: // a label is lost
			p.Labels = slices.DeleteFunc(slices.Clone(p.Labels), func(l string) bool { return l == label.Queue() })
		case dice == 71 && p.has(label.Held()...): // a person lets it go on
			p.Labels = slices.DeleteFunc(slices.Clone(p.Labels),
				func(l string) bool { return slices.Contains(label.Held(), l) })
		case dice == 72: // or does not want it
			p.Closed = true
		case dice == 73 && p.has(label.Held()...): // or starts it over
			p.Closed, p.Labels = true, append(p.Labels, label.Reset())
		case dice == 74 && ready: // the base moves on
			p.Conflicts, p.AutoMerge = true, false
		case dice == 75 && ready: // a required check fails
			p.FailedChecks, p.AutoMerge = []string{"ci"}, false
		case dice >= 76 && dice < 90 && ready: // a merge takes long
			p.WaitedEnough = true
		}
	}
}

// TestAYearOfDecisions works off a thousand specs in disorder: never work on two at once,
// nothing twice, nothing stuck.
func TestAYearOfDecisions(t *testing.T) {
	w := &world{t: t, rnd: rand.New(rand.NewPCG(1, 2)), pending: map[string]bool{}, merged: map[string]int{}}
	for i := range 1000 {
		id := fmt.Sprintf("S-%04d", i)
		w.specs, w.pending[id] = append(w.specs, specs.Spec{ID: id}), true
	}
	idle := 0
	for w.turns < 20000 && idle < 3 {
		w.asks = 0
		if w.turn() {
			idle++
		} else {
			idle = 0
		}
		if w.asks > 10 {
			t.Fatalf("turn %d asked %d times", w.turns, w.asks)
		}
		w.others()
	}
	if idle < 3 {
		t.Fatalf("stuck after %d turns: %s", w.turns, w.situation().step())
	}
	done := 0
	for id, n := range w.merged {
		if done += n; n > 1 {
			t.Errorf("%s went in %d times", id, n)
		}
	}
	t.Logf("%d turns, %d killed, %d pull requests, %d specs done, the rest left to people", w.turns, w.kills,
		len(w.pulls), done)
	if done < 700 {
		t.Errorf("only %d specs were done", done)
	}
}
