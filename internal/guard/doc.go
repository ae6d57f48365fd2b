// Package guard decides which parts of a model's proposal may be applied.
//
// A proposal is a list of changes. Each is judged alone, in this order: may the
// path be touched at all (it stays inside the checkout, reaches neither .git nor
// .booty.yml, no symbolic link, no submodule, no protected path); would it change
// what the tests prove (a test file, a file that configures, starts or feeds the
// runner, a file that shadows the runner, product code written to please the
// tests). What is left is measured against the limits as a whole.
//
// Words: a test file holds cases or helpers of cases, by the conventions of its
// language or by the user's globs. A runner file configures or starts the runner.
// A feeding file (fixture, snapshot, golden file) is data that tests read. An old
// line stood before the run; an added line did not.
//
// The floors below: [guard] decides by roles and settings; internal/weaken judges
// changes of tests, internal/runner files that configure or start the runner,
// internal/shadow files found in place of others, internal/product code that serves
// only to please tests (with internal/equality and internal/linkflags),
// internal/inline tests in product files. They stand on internal/source (blocks,
// names, functions), internal/lexer (comments, strings, languages), internal/diff
// (lines, as for all of booty), internal/checkout (the files as they stood), internal/paths and
// internal/pattern.
//
// The guard reads text and facts about the checkout. It runs nothing and writes
// nothing, and it is no proof: what it lets through is still counted and checked
// by the caller. It errs towards letting honest code pass where a word alone is
// all there is to go by, so it looks at code without its strings and comments.
package guard
