// Package proof says what a change proves, and by what was run.
//
// In come the code before and after a change, and a runner of checks; out come
// claims, each with its state, the tests that show it, or the reason why nothing does.
// It interprets no source text for a verdict: where tests stand inside product code
// it takes texts apart, and says where that cannot be done.
//
// It is larger than other parts: it splices tests in and out of sources and manifests of
// many ecosystems, and package mutant below it makes small changes in eleven languages.
package proof
