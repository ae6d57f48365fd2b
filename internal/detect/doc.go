// Package detect gathers the commands by which a repository may be set up, tested and
// checked, and chooses among them by what their trials told.
//
// What comes in is a file system, and later the outcome of each trial; what goes out are
// candidates in the order in which they are worth a trial, and a short .booty.yml.
//
// Candidates come from CI (the literal lines of its scripts), targets and scripts of the
// repository's own, and what is usual for its tools. Of CI's expressions
// only plain values of a matrix are put in; any other line with one is shown, and not
// interpreted. Rank says what is tried first, and what is taken where nothing could be
// tried; whether a command runs tests is said by its trial alone.
//
// Look(fsys).Choose(nil).Tests[0] is the best test command that can be told without a
// trial; its Certain reports how sure that is.
//
// A third of it is data: the words by which a command is known, what is usual for each tool
// chain, and how to get a tool. That is why it is larger than planned.
//
// It only reads, and little: folders down to depth 3, without those of dependencies and
// build output, and a bounded number of them. It never runs anything: package runner does.
package detect
