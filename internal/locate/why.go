package locate

import "slices"

// reasons say of each signal what it means for a person; what each file has is none.
var reasons = [signals]string{
	byContent: "has the words of the task", byPathWords: "its path has words of the task",
	byDefinition: "defines what is named", byBareName: "is called what is named",
	byScope: "is in the part that the subject names", byPast: "past changes told alike changed it",
	byLatest: "changed lately", byRecent: "changed lately",
	byImport: "imports others shown, or is imported", byPhrase: "has words of the task as they stand there",
	bySpelling: "has names of the task",
}

// why says what speaks the most for a file.
func (r *ranking) why(c *candidate) string {
	i := c.i
	switch d := &r.ix.docs[i]; {
	case d.include:
		return "asked for"
	case slices.Contains(r.tests, c) && slices.Contains(r.failing, i):
		return "the failing test"
	case slices.Contains(r.tests, c):
		return "helps the failing test"
	case slices.Contains(r.suspects, i) && !d.test:
		return "the failure points to it"
	case slices.Contains(r.last, i):
		return "changed last"
	case r.task.files[i] >= 0.5:
		return "named by the task"
	case r.fail.files[i] >= 0.5:
		return "named by the failure"
	}
	best, most := -1, 0.0
	if all := r.signals[i]; all != nil {
		for s, x := range all {
			if reasons[s] == "" {
				continue // what each file has
			}
			if v := r.ix.weights.again[s] * x; v > most {
				best, most = s, v
			}
		}
	}
	if best < 0 || likely(r.score[i]) > 2*r.odd[i] {
		return "goes with others shown"
	}
	return reasons[best]
}
