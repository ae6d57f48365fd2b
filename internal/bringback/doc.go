// Package bringback gives the user's repository the result of a run, and takes it back.
//
// What comes in: two checkpoints, the checkout as the run read it and the run's result, or a
// commit of the run. What goes out: files of the checkout, and which of them were merged or are in
// conflict (BringBack); the branch that is checked out, with the index (TakeCommit); a branch of
// the run's own (HandOver). Undo takes back the first two. A file that the user has changed since
// is merged; where that ends in a conflict, and in Undo, the user's file stays. It never writes
// files that no record names, and never moves a branch that is not where the run left it.
//
// What is about to be written is recorded first, with what each file held, on disk (fsync): after
// a kill the bytes are as they were, or Complete finishes the work, or Undo takes it back.
package bringback
