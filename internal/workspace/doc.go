// Package workspace keeps the user's work tree: it knows what stands there,
// records it, puts it back, and talks to git about branches, commits and
// remotes. It is the only room that changes the repository as a whole; single
// files of a proposal are written by their own writer.
//
// Words:
//
//   - The work tree is the checkout that holds the directory booty was started
//     in: the main one or a linked one, sparse or not.
//   - A checkpoint is a commit under refs/booty/<run>/<n> whose tree is the work
//     tree to the byte: tracked and untracked files as they lie on disk, without
//     any conversion of line ends, filters or encodings. 0 is the state before
//     the run. Beside it refs/booty/<run>/meta/<n> keeps the user's index file,
//     what is staged in it, and where HEAD was.
//   - The shadow is a git directory of booty's own, among booty's records. It
//     shares the objects and has its own index and attributes, so that recording
//     touches neither the user's index nor HEAD nor the stash.
//   - Pinned is what every git child is told: where the git directories and the
//     work tree are, and which programs the settings name, as all that was when
//     the work tree was opened, before any command of the repository ran.
//
// Promises:
//
//   - Nothing of the user's is changed before its checkpoint is on disk (fsync).
//   - Files that git ignores are never removed; they are recorded only when an
//     edit names them (Remember).
//   - After a kill at any moment the bytes are either as they were, or Undo
//     brings them back; Interrupted tells what was under way.
//   - A commit is made of objects, never of the user's index: the tree of its
//     parent with the named paths in it. Hooks see it before, each run by booty.
//   - Later changes by the user are never overwritten: Undo and Return look
//     first, and say which files are in the way.
//
// Whatever looks at the work tree through a checkpoint (Snapshot, Since,
// Restore, PutBack, Undo, Return) wants the Lock held: the shadow has one user.
//
// Limits: empty directories are not recorded, nor are repositories inside the
// repository, sockets, pipes and files that cannot be read (Unsaved tells). On a
// file system that ignores case, a name that changed in case alone stays so.
//
// What goes through go-git: HEAD, references, remotes, blobs, trees, the
// checkpoints' commits and the differences between them. What goes through the
// git binary: everything that reads the work tree or the index, branches,
// commits on them (hooks, signing, filters), merges, and the network.
package workspace
