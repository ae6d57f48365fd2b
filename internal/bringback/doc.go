// Package bringback gives the user's checkout the result of a run, once, and takes it back.
//
// What comes in: two checkpoints, the checkout as the run read it and the run's result. What
// goes out: the files of the checkout, and which of them were merged or are in conflict. A file
// that the user has changed since is merged; where that ends in a conflict, and in Undo, the
// user's file stays. It never looks at files that no record names, moves no branch, and does not
// touch the index: that is done by who calls it.
//
// What is about to be written is recorded first, with what each file held, on disk (fsync): a
// kill at any moment leaves the bytes as they were, or Complete ends what was begun, or Undo
// brings them back.
package bringback
