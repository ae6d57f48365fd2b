// Package guard decides which parts of a model's proposal may be applied, and reports which
// files are tests.
//
// A proposal comes in as a list of changes. The changes that may be applied go out, and the
// others with a reason. Refused are: places outside the checkout, in .git or .booty.yml,
// behind a symbolic link, in a submodule, or protected; files that would shadow the test
// runner or its library (internal/shadow); and anything over the limits. An edit of a test
// is not refused: the caller runs the original tests.
//
// A file is a test file by the conventions of its language, by the user's globs, or because
// only tests used it before the run.
//
// Sign points out what a person should look at: a skip, an early exit, a comparison that is
// always true (internal/product). It reads lines (internal/source and
// package lexer) and is never a verdict.
//
// The guard runs nothing and writes nothing.
package guard
