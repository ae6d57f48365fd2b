// Package git runs git, and reads and writes the objects of a repository.
//
// What comes in: the directories of a repository, arguments for git, names of objects and
// references. What goes out: what git printed, objects, and errors with their kind and a
// hint. It decides nothing about work trees, and never changes a reference.
//
// The git binary does what reads the work tree or an index, compares states, makes commits
// (hooks, signing, filters), merges, and uses the network. Go-git does the rest: HEAD,
// references, settings, and the encoding of objects.
package git
