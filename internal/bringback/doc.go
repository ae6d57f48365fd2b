// Package bringback gives the user's checkout the result of a run, once, and takes it back.
//
// What comes in: two checkpoints, the checkout as the run read it and the run's result. What
// goes out: the files of the checkout, and which of them were merged or are in conflict. A file
// that the user has changed since is merged; where that ends in a conflict, and in Undo, the
// user's file stays. It never writes files that no record names, and leaves branches and the
// index to its caller.
//
// What is about to be written is recorded first, with what each file held, on disk (fsync): after
// a kill the bytes are as they were, or Complete finishes the work, or Undo takes it back.
package bringback
