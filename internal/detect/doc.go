// Package detect looks at a repository and says how its tests, its setup and
// its quality gates are run, and writes that down as a commented .booty.yml.
//
// Words: a project is one folder with one tool chain; a repository may hold
// several. A project without a test command may still have gates. A folder is
// covered when the tests of a project above it run its tests too (workspaces).
//
// A claim is a command that the repository itself says is run: by its CI (see
// package ci), a make target, a script, CONTRIBUTING. Claims go before
// convention. What was seen and not taken is left, with the reason.
//
// Promises: it only reads, and little: folders down to depth 3, without those
// of dependencies and build output, and never more than a bounded number of
// them; of CI also what it names. Nothing is run and nothing is asked. Every
// rendered file of a result with a test command passes booty's strict decoder.
//
// It is not a judge of whether the commands work: `booty init --check` is.
package detect
