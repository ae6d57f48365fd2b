// Package workspace opens the repository that the user stands in.
//
// What comes in: a directory of a checkout. What goes out: a Repo, which knows where its work
// tree and git directories are and what git obeys there. Its fields act on the work tree:
// package snapshot records its states, bringback writes a result, commit makes commits, history
// reads them, remote fetches and pushes, trees makes trees beside it. It never decides what to
// change or to keep, and never resets, reverts or removes what a user did.
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
//   - Later changes by the user are never overwritten.
//
// Whatever looks at the checkout (Snapshot, Look, BringBack, Undo) needs the Lock. A tree of
// booty's own is its user's as long as the slot is.
package workspace
