package engine

// allowance is what a request is given beside the task and the files.
type allowance struct {
	// reasoning: the last attempt's own summary.
	reasoning bool
	wide      bool
	escalate  bool
}

// allowances is what each attempt gets, by its number; the last row is for all later ones. After
// two failures with the last summary in view, attempt 4 gets a fresh view.
var allowances = []allowance{
	1: {},
	2: {reasoning: true},
	3: {reasoning: true},
	4: {wide: true},
	5: {wide: true, escalate: true},
}

func allowanceFor(attempt int, p Progress) allowance {
	if p != Moving {
		return allowance{wide: true, escalate: true}
	}
	return allowances[min(attempt, len(allowances)-1)]
}

const (
	// maxContinuations bounds how often a cut reply is continued.
	maxContinuations = 4
	// maxQuality is how many quality rounds in a row use no attempt.
	maxQuality = 3
)

// MaxCalls is the maximum number of calls to the model in all attempts, with replies that give
// nothing, quality rounds, continuations and requests to see more.
func (o Options) MaxCalls() int {
	looks := 0
	if o.Looking {
		looks = maxLooks
	}
	each := (maxNoEdit + maxNoEditWide + maxQuality + looks) * (1 + maxContinuations) * max(1, o.Candidates)
	return o.MaxAttempts * each
}
