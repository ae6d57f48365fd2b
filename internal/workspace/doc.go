// Package workspace makes work trees, brings results back, and talks to git about branches,
// commits and remotes. It runs git by package git, and has states of a tree recorded by
// package snapshot.
//
// What comes in: a directory of a checkout, and the names of runs, commits and paths.
// What goes out: trees, commits, pushed branches. It never decides what to change or to
// keep, and never resets, reverts or removes what a user did.
//
// Words:
//
//   - The work tree is the checkout that holds the directory booty was started in, main or
//     linked, sparse or not; or a tree of booty's own beside it (a slot).
//   - The store is booty's own, in the state directory. It borrows the user's
//     objects and holds checkpoints, commits until they are handed over, and the git
//     directories of booty's own trees.
//   - Pinned is what every git child gets: where the git directories and the work tree are,
//     and which programs the settings name, as of before any command of the repository ran.
//
// Promises:
//
//   - The user's files are written by package bringback alone, once what they held is on
//     disk.
//   - A commit is made of objects, never of the user's index: the tree of its
//     parent with the named paths in it. Hooks see it before, each run by booty.
//   - Later changes by the user are never overwritten.
//
// Whatever looks at the checkout (Snapshot, Look, BringBack, Undo) needs the Lock. A tree of
// booty's own is its user's as long as the slot is.
package workspace
