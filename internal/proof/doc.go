// Package proof proves what a change does, from what its tests did.
//
// In come the code before and after a change, and a runner of checks; out come
// claims, each with its state, the tests that show it, or the reason why nothing does.
// A verdict never comes from reading source text. Where tests are inside product code,
// the package separates them, and reports where that is impossible.
//
// Package mutant, below it, makes small changes in eleven languages.
package proof
