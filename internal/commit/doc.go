// Package commit makes commits and merges, and changes the index of a work tree.
//
// What comes in: a place, hooks, settings, messages and the paths to commit. What goes out:
// commits, and conflicts with their sides. A commit is made of objects, never of the user's
// index: the tree of its parent with the named paths in it, and nothing else. Hooks see it
// before, each run by booty. It never moves a branch of the user's checkout; where git or a hook
// refuses, branch and index are as before.
package commit
