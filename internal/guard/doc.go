// Package guard decides which parts of a model's proposal may be applied at all, and
// says which files are tests.
//
// In comes a proposal, a list of changes; out come those that may be applied, and the
// others with the reason. Refused are places (outside the checkout, in .git,
// .booty.yml, through a symbolic link, in a submodule, protected), what would stand in
// for the test runner or its library (internal/shadow), and what is over the limits.
// Edits to tests are no reason: the caller has the tests as they stood run.
//
// A file is of tests by the conventions of its language, by the user's globs, or since
// nothing but tests used it before the run.
//
// Sign points out what a person should look at: a skip, an early exit, a comparison
// that is always true (internal/product, internal/equality). It reads lines, over
// internal/source and the leaf lexer, and is never a verdict.
//
// The guard runs nothing and writes nothing.
package guard
