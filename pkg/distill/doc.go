// Package distill reads the output of a failing run of tests, compilers,
// linters and type checkers, and tells what failed, where, and why.
//
// A run's output goes in as an [io.Reader]; a [Report] comes out: the failing
// tests by the names their users give them, one [Failure] for each assertion or
// diagnostic, the files that are suspect, and a short text that holds what one
// needs to fix them and nothing else.
//
// # Words
//
// A runner is a tool that prints in a format of its own, such as pytest or
// rustc. A recogniser is the part of this package that reads one such format.
// One output may hold several, one after the other or mixed, plain or behind
// the prefixes and time stamps of a build service. A suspect is a source file
// in which the bug may be: one that a stack trace or a diagnostic names, or one
// that a failing test loads.
//
// # Promises
//
//   - Memory is bounded, however long the output or one of its lines may be.
//     What cannot be kept is chosen line by line: lines that look like a part of
//     a failure stay, and so do the beginning and the end.
//   - The time is linear in the size of the output.
//   - The same failure gives the same [Report.Signature]: durations, addresses,
//     temporary names and seeds are normalised there. [Report.Text] shows values
//     as they were printed.
//   - A test is named only where that is certain, and Expected and Actual are
//     right or empty. Of a tool that is not known the text holds what matters.
//   - What is no test is told as what it is: a hook, a file that could not be
//     loaded, a part of a test, a try of a test that passed in the end.
//   - [Report.Text] is valid UTF-8, never larger than [Options.Budget], and
//     never cut within a line.
//   - A report does not contradict [Options.ExitCode]. Without one, no text that
//     holds an error says that nothing failed.
//   - Of a tool that is not known, [Options.Before] makes what the last good run
//     printed, too, noise.
//   - Only files below [Options.Dir] are read; nothing is written or run.
//
// It is not a log viewer and keeps no warnings of a run that failed for another
// reason.
package distill
