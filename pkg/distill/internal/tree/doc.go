// Package tree answers questions about the files of a project: which file a printed
// path means, which place a line of output names, what a file imports, and whether
// it is a test. What comes in are paths and lines as tools print them; what goes out
// are paths relative to one folder. It reads no file outside of that folder, walks it
// at most once, and writes nothing.
package tree
