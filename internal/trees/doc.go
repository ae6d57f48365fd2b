// Package trees makes work trees of booty's own beside a checkout, for commands to run in.
//
// What comes in: a checkout, its store, a commit or checkpoint, and the tree whose ignored files
// are brought along. What goes out: a directory with the files of the commit, a git directory for
// booty in the store and one for tools at the root. It never writes to the checkout or to the
// user's repository, and never decides what runs in a tree.
//
// A tree lies in a slot. Take takes one, New gives the tree in it, Fill brings it to a
// commit, Release gives it back with all its files: the next user finds them, and what builds
// left among them, nearly as it needs them. Drop removes slots that nobody uses.
package trees
