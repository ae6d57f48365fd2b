// Package workspace makes work trees, records their states, brings results back, and talks
// to git about branches, commits and remotes. It runs git by package git.
//
// What comes in: a directory of a checkout, and the names of runs, commits and paths.
// What goes out: trees, checkpoints, differences, commits, pushed branches. It never
// decides what to change or to keep, and never resets, reverts or removes what a user did.
//
// Words:
//
//   - The work tree is the checkout that holds the directory booty was started in, main or
//     linked, sparse or not; or a tree of booty's own beside it (a slot).
//   - A checkpoint is a commit under refs/booty/<run>/<n> of the store. Its tree
//     is the work tree to the byte, untracked files included; 0 is the state before the run.
//   - The store is booty's own, in the state directory. It borrows the user's
//     objects and holds checkpoints, commits until they are handed over, and the git
//     directories of booty's own trees.
//   - The shadow is an index of booty's own with attributes that convert nothing, so that
//     recording a state touches neither the user's index nor HEAD.
//   - Pinned is what every git child gets: where the git directories and the work tree are,
//     and which programs the settings name, as of before any command of the repository ran.
//
// Promises:
//
//   - The user's files are written by BringBack and Undo alone, once what they held is on
//     disk (fsync).
//   - Files that git ignores are never removed; they are recorded only when an
//     edit names them (Remember).
//   - After a kill at any moment the bytes are either as they were, or Undo
//     brings them back, or CompleteBringBack ends what was begun.
//   - A commit is made of objects, never of the user's index: the tree of its
//     parent with the named paths in it. Hooks see it before, each run by booty.
//   - Later changes by the user are never overwritten: BringBack merges with them, and Undo
//     names the files that are in the way.
//
// Whatever looks at the checkout (Snapshot, Look, BringBack, Undo) needs the Lock: the shadow
// has one user. A tree of booty's own is its user's as long as the slot is.
//
// Limits: empty directories are not recorded, nor are repositories inside the
// repository, sockets, pipes and files that cannot be read (Unsaved names them). On a
// file system that ignores case, a name that changed in case alone stays so.
package workspace
