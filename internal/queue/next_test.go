package queue

import (
	"fmt"
	"testing"

	"github.com/booty-cli/booty/internal/specs"
)

const label Labels = "tdd"

// open is an open pull request of a spec; words say how it is.
func open(n int, spec string, words ...string) Pull {
	p := Pull{Number: n, Spec: spec, Title: Title{spec, 1, 5}.String(), Head: "tdd/" + spec,
		Labels: []string{"tdd"}}
	for _, w := range words {
		switch w {
		case "draft":
			p.Draft = true
		case "auto":
			p.AutoMerge = true
		case "clash":
			p.Conflicts = true
		case "red":
			p.FailedChecks = []string{"ci"}
		case "too":
			p.FailsOnBase = true
		case "queued":
			p.Queued = true
		case "rested":
			p.WaitedEnough = true
		case "look":
			p.NeedsReview = true
		case "bare":
			p.Labels = nil
		case "closed":
			p.Closed = true
		case "merged":
			p.Closed, p.Merged = true, true
		case "aside":
			p.SetAside = true
		default:
			p.Labels = append(p.Labels, "tdd:"+w)
		}
	}
	return p
}

func TestNext(t *testing.T) {
	cases := []struct {
		name string
		s    Situation
		want string
	}{
		{"an empty queue", Situation{}, "idle: the queue is empty: there is no pending spec on the base branch"},
		{"closed pull requests are asked for first", Situation{Specs: list("A", "B")}, "ask [A B]"},
		{"the first spec is begun", asked(list("A", "B")), "begin A"},
		{"a draft is continued", asked(list("A", "B"), open(1, "B", "draft")), "go on B #1"},
		{"a draft is continued though nothing is known of the past",
			Situation{Specs: list("A"), Open: []Pull{open(1, "A", "draft")}}, "go on A #1"},
		{"a lost label is put back", asked(list("A"), open(1, "A", "draft", "bare")), "relabel #1"},
		{"a ready one that is to be merged", asked(list("A", "B"), open(1, "A")), "merge A #1"},
		{"a ready one that GitHub merges is waited for", asked(list("A"), open(1, "A", "auto")),
			"wait A #1 own: pull request #1 (A) is ready, and merged by GitHub once its checks pass"},
		{"for some time, where there is another spec", asked(list("A", "B"), open(1, "A", "auto")),
			"rest A #1 own: pull request #1 (A) is ready, and merged by GitHub once its checks pass"},
		{"then that is begun", asked(list("A", "B"), open(1, "A", "auto", "rested")), "begin B"},
		{"unless it comes after it", asked(after(list("A", "B"), "A"), open(1, "A", "auto", "rested")),
			"wait A #1 own: pull request #1 (A) is ready, and merged by GitHub once its checks pass"},
		{"a spec that comes after one that is held", asked(after(list("A", "B"), "A"), open(1, "A", "draft", "manual-intervention")),
			"idle: nothing to do: 1 pending specs wait for a person, and 1 for a spec that they come after (@tdd-after)"},
		{"a spec that comes after one that is done", asked(after(list("A", "B"), "C")), "begin A"},
		{"one that waits in the merge queue", asked(list("A"), open(1, "A", "queued", "red")),
			"wait A #1 own: pull request #1 (A) is ready, and waits in the merge queue"},
		{"a ready one with a red check is continued", asked(list("A", "B"), open(1, "A", "auto", "red")), "go on A #1"},
		{"so is one in conflict that a person would merge",
			asked(list("A", "B"), open(1, "A", "had-conflict", "red")), "go on A #1"},
		{"a check that is red on the base as well", asked(list("A"), open(1, "A", "auto", "red", "too")),
			"wait A #1: pull request #1 (A) is ready, but a check fails that fails on the base branch as well: ci"},
		{"is no reason to stop", asked(list("A", "B"), open(1, "A", "auto", "red", "too")), "begin B"},
		{"nor is one that a person must look at", asked(list("A", "B"), open(1, "A", "look")), "begin B"},
		{"what is under way comes first", asked(list("A", "B", "C"), open(1, "A", "auto"), open(2, "B", "draft")), "go on B #2"},
		{"a ready one in conflict by now is continued", asked(list("A"), open(1, "A", "auto", "clash")),
			"go on A #1"},
		{"one that had a conflict is passed over", asked(list("A", "B"), open(1, "A", "had-conflict")), "begin B"},
		{"one that had a conflict is a person's to merge", asked(list("A"), open(1, "A", "had-conflict")),
			"wait A #1: pull request #1 (A) was in conflict with its base: it is ready, and a person merges it"},
		{"without auto-merge in the repository",
			with(asked(list("A", "B"), open(1, "A")), func(s *Situation) { s.NoAutoMerge = true }),
			"wait A #1: pull request #1 (A) is ready: a person merges it, since the repository allows no auto-merge"},
		{"without auto-merge in the settings",
			with(asked(list("A", "B"), open(1, "A")), func(s *Situation) { s.AutoMerge = false }),
			"wait A #1: pull request #1 (A) is ready: a person merges it (specs.auto_merge is off)"},
		{"manual intervention frees the queue",
			asked(list("A", "B"), open(1, "A", "draft", "manual-intervention")), "begin B"},
		{"so does a spec to be looked at", asked(list("A", "B"), open(1, "A", "draft", "spec-review-needed")),
			"begin B"},
		{"so does a reached limit", asked(list("A", "B"), open(1, "A", "draft", "budget-exceeded")), "begin B"},
		{"the label taken away, it is continued", asked(list("A", "B"), open(1, "A", "draft")), "go on A #1"},
		{"all held: nothing to do", asked(list("A"), open(1, "A", "draft", "manual-intervention")),
			"idle: nothing to do: all 1 pending specs wait for a person"},
		{"a person's pull request with the label", asked(list("A"), Pull{Number: 7, Labels: []string{"tdd"}}),
			"wait #7: pull request #7 has the label tdd, but is not booty's: merge or close it, or take the label " +
				"away"},
		{"a draft whose spec is pending no more", asked(list("B"), open(1, "A", "draft")), "orphaned A #1"},
		{"a ready one whose spec is pending no more is merged all the same", asked(list("B"), open(1, "A")),
			"merge A #1"},
		{"one that a person closed is passed over", past(asked(list("A", "B")), open(1, "A", "closed")), "begin B"},
		{"one that was closed to be reset starts over",
			past(asked(list("A", "B")), open(1, "A", "closed", "reset-spec")), "begin A"},
		{"one that was set aside is passed over",
			past(asked(list("A", "B")), open(1, "A", "closed", "aside", "spec-review-needed")), "begin B"},
		{"until its label is taken away", past(asked(list("A", "B")), open(1, "A", "closed", "aside")), "begin A"},
		{"a merged one whose marker is there again is left to a person",
			past(asked(list("A", "B")), open(1, "A", "merged")), "again A #1"},
		{"and passed over then", past(asked(list("A", "B")), open(1, "A", "merged", "aside", "spec-review-needed")),
			"begin B"},
		{"its label stays while it is pending", with(asked(list("A")),
			func(s *Situation) { s.Merged = []Pull{open(1, "A", "merged", "spec-review-needed")} }), "begin A"},
		{"until the label is taken away", past(asked(list("A", "B")), open(1, "A", "merged", "aside")), "begin A"},
		{"or it is reset", past(asked(list("A", "B")), open(1, "A", "merged", "reset-spec")), "begin A"},
		{"a merged one that is not of the queue", past(asked(list("A")), open(1, "A", "merged", "bare")), "begin A"},
		{"labels of a merged one are tidied first",
			with(asked(list("A")), func(s *Situation) { s.Merged = []Pull{open(3, "C", "merged", "had-conflict")} }),
			"tidy C #3"},
		{"a named spec", with(asked(list("A", "B")), only("B")), "begin B"},
		{"a named spec that is not there", with(asked(list("A")), only("X")),
			"unknown: there is no pending spec X on the base branch"},
		{"a named spec while another waits for GitHub",
			with(asked(list("A", "B"), open(1, "A", "auto")), only("B")), "begin B"},
		{"a named spec that waits for GitHub itself", with(asked(list("A", "B"), open(1, "A", "auto")), only("A")),
			"wait A #1 own: pull request #1 (A) is ready, and merged by GitHub once its checks pass"},
		{"a named spec while another is under way", with(asked(list("A", "B"), open(1, "A", "draft")), only("B")),
			"wait A #1: pull request #1 (A) is under way: one spec at a time"},
		{"a named spec that waits for a person",
			with(asked(list("A", "B"), open(1, "A", "draft", "manual-intervention")), only("A")),
			"wait A #1: pull request #1 for A waits for a person: booty recover retry 1 goes on"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.s.labelled().step(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func (s Situation) labelled() Situation { s.Labels = label; return s }

// step is the next step in one line.
func (s Situation) step() string {
	st := next(s)
	out := string(st.Kind)
	if st.Kind == Ask {
		return fmt.Sprintf("%s %v", out, st.IDs)
	}
	if id := st.Spec.ID; id != "" {
		out += " " + id
	} else if st.Pull.Spec != "" && st.Kind == Tidy {
		out += " " + st.Pull.Spec
	}
	if st.Pull.Number > 0 {
		out += fmt.Sprintf(" #%d", st.Pull.Number)
	}
	if st.Merging {
		out += " own"
	}
	if st.Why != "" {
		out += ": " + st.Why
	}
	return out
}

func list(ids ...string) (out []specs.Spec) {
	for _, id := range ids {
		out = append(out, specs.Spec{ID: id})
	}
	return out
}

// after makes the last spec one that comes after another.
func after(all []specs.Spec, id string) []specs.Spec {
	all[len(all)-1].After = []string{id}
	return all
}

// asked is a situation in which the past of all specs is known.
func asked(all []specs.Spec, open ...Pull) Situation {
	s := Situation{Specs: all, Open: open, Asked: map[string]bool{}, Past: map[string]Pull{}, AutoMerge: true}
	for _, spec := range all {
		s.Asked[spec.ID] = true
	}
	return s
}

func past(s Situation, p Pull) Situation { s.Past[p.Spec] = p; return s }

func with(s Situation, f func(*Situation)) Situation { f(&s); return s }

func only(id string) func(*Situation) { return func(s *Situation) { s.Only = id } }

func TestAThousandSpecsAreAskedForInBatches(t *testing.T) {
	var ids []string
	for i := range 1000 {
		ids = append(ids, fmt.Sprintf("S-%d", i))
	}
	s := asked(list(ids...)).labelled()
	s.Asked = map[string]bool{}
	questions := 0
	for {
		st := next(s)
		if st.Kind != Ask {
			if st.Kind != Idle {
				t.Fatalf("got %s", s.step())
			}
			break
		}
		questions++
		for _, id := range st.IDs {
			s.Asked[id] = true
			s.Past[id] = open(1, id, "closed") // all of them unwanted
		}
	}
	if questions > 10 {
		t.Errorf("%d requests to find nothing to do", questions)
	}
}
