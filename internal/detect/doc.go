// Package detect collects the commands that may set up, test and check a repository, and
// chooses among them by the results of their trials.
//
// A file system comes in, later the outcome of each trial. Candidates go out, in the order
// in which they are worth a trial, and then a short .booty.yml.
//
// Candidates come from CI (literal lines of its scripts), from targets and scripts of the
// repository, and from what is usual for its tools. Of CI's expressions only plain matrix
// values are filled in; any other line with one is shown but not interpreted. The rank
// decides what is tried first, and what is taken if nothing could be tried. Only its trial
// shows whether a command runs tests.
//
// Look(fsys).Choose(nil).Tests[0] is the best guess without a trial; its Certain reports
// how sure that is.
//
// A third of it is data: the words by which a command is recognized, the usual commands of
// each tool chain, and how to get a tool.
//
// The package only reads, and little: folders down to depth 3, a bounded number of them,
// without dependencies and build output. It runs nothing: package runner does.
package detect
