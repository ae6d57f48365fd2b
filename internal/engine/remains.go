package engine

import "fmt"

// remains returns the state that the run leaves: the best attempt's, unless the user's own tree, at
// the start of a refine or a resumed run, was better.
func (m *Memory) remains(best *Attempt, refine bool) (State, Verdict) {
	floor, v := m.floor()
	theirs := m.ForReview == nil && (refine || m.From.Commit != "")
	if best == nil || theirs && worse(best.Verdict, v) {
		return floor, v
	}
	return best.State, best.Verdict
}

// left describes the verdict on what the run leaves.
func (m *Memory) left(refine bool) string {
	_, v := m.remains(m.best(), refine)
	switch last := m.last(); {
	case v.Green && last != nil && last.hidden():
		return "nothing is kept: " + last.Verdict.Unproven
	case v.gatesOnly():
		return "the quality gates still fail"
	case v.Words() != "":
		return v.Words()
	case v.TestsFailed && v.Failing == 1:
		return v.atLeast() + "1 test still fails" + v.besides()
	case v.TestsFailed:
		return fmt.Sprintf("%s%d tests still fail%s", v.atLeast(), v.Failing, v.besides())
	case v.Green:
		return "the checks pass"
	}
	return "nothing was changed"
}

// besides describes what the number of failing tests does not include.
func (v Verdict) besides() string {
	switch n := len(v.Known); n {
	case 0:
		return ""
	case 1:
		return ", besides one that failed before"
	default:
		return fmt.Sprintf(", besides %d that failed before", n)
	}
}

// atLeast precedes a number of failures if only a part of the tests ran.
func (v Verdict) atLeast() string {
	if v.Partial {
		return "at least "
	}
	return ""
}

// Words replace the number of failing tests where there is none.
func (v Verdict) Words() string {
	switch {
	case v.Unproven != "":
		return v.Unproven
	case v.gatesOnly():
		return "the quality gates fail"
	}
	return v.Trouble
}
