// Package proof proves what a change does, from what its tests did.
//
// In come the code before and after a change, and a runner of checks; out come
// claims, each with its state, the tests that show it, or the reason why nothing does.
// A verdict never comes from reading source text. Where tests are inside product code,
// the package separates them, and reports where that is impossible.
//
// The steps of a proof are in prove.go (show), and each has its file: the tests of both sides
// (stood.go: also as they stood; missing.go, moved.go, renamed.go: which are gone), what fails by
// chance (repeat.go), the new tests on the old code (proof.go), expectations made wrong (canfail.go,
// with spoil.go and alter.go), tests written against the change (challenge.go), mutants
// (mutants.go, with worth.go and try.go). judge.go derives the claims and the verdict from what
// ran; subject.go says what the change is made of, nocode.go what proves nothing.
//
// Package mutant, below it, makes small changes in eleven languages.
package proof
