// Package snapshot records the states of a work tree, compares them, and brings a tree back
// to one of them.
//
// What comes in: where a work tree lies, a git client, a store, and the names of runs. What
// goes out: checkpoints, differences, and files as a checkpoint has them. It never moves a
// branch, and never touches the user's index or HEAD. Files that git ignores are never
// removed, and recorded only when an edit names them (Remember).
//
// Words:
//
//   - A checkpoint is a commit under refs/booty/<run>/<n> of the store. Its tree is the work
//     tree to the byte, untracked files included; 0 is the state before the run.
//   - The shadow is an index of booty's own with attributes that convert nothing, so that
//     recording a state touches neither the user's index nor HEAD.
//
// Each type can be read alone. Records are the states of runs in the store, Comparer says how
// two of them differ, Files writes some of one, and Recorder looks at the work tree, for which
// it needs the shadow.
//
// The shadow has one user at a time: the caller holds the lock of the user's checkout, or the
// slot of a tree of booty's own.
//
// Limits: empty directories are not recorded, nor are repositories inside the
// repository, sockets, pipes and files that cannot be read (Unsaved names them). On a
// file system that ignores case, a name that changed in case alone stays so.
package snapshot
