// Package ci reads what a repository's continuous integration runs: GitHub
// Actions, GitLab CI and CircleCI.
//
// In comes a file system; out come runs: each is one job (of a matrix, one of
// its distinct rows) as the list of simple commands that it starts, in order,
// with the folder each is started in.
//
// Promises: files are read, nothing is run and nothing is fetched; what is not
// understood is left out, never guessed. A command with a part whose value is
// not known here (a secret, another job's output) is left out, unless that part
// is a whole word, which is then dropped.
package ci
