// Package mutant makes small changes to changed lines of product code, each of which a
// good test would notice.
//
// In come a source file and the lines of it that a change brought; out come mutants:
// the same file with one token or one statement different. It knows tokens and lines,
// no grammar: a mutant may not compile, and whoever runs it does not count that one.
// It runs nothing, and touches neither comments nor texts that are only shown.
package mutant
