package detect

import "slices"

// Rivals reports whether two test commands may run the same tests: those of one folder.
func (f Found) Rivals(i, j int) bool {
	a, b := f.Candidates[i], f.Candidates[j]
	return i != j && a.Kind == Test && b.Kind == Test && a.Dir == b.Dir &&
		(a.Language == b.Language || a.Language == "" || b.Language == "")
}

// HasRival reports whether there is another command that may run the tests of this one.
func (f Found) HasRival(i int) bool {
	return slices.ContainsFunc(f.Of(Test), func(j int) bool {
		return f.Rivals(i, j) && !f.Twins(i, j) && !f.Candidates[j].secret
	})
}

// Prefers reports whether the first of two commands is taken where both run the same tests,
// since booty can ask its runner for results by name.
func (f Found) Prefers(i, j int) bool {
	a, b := Chosen{Candidate: f.Candidates[i]}, Chosen{Candidate: f.Candidates[j]}
	return a.direct() && !b.direct()
}

// Adds reports whether tests ran that another trial did not run, as far as is known.
func (o Outcome) Adds(to Outcome) bool {
	return o.Names == nil || to.Names == nil || !within(o.Names, to.Names, o.As == to.As)
}
