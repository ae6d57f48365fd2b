// Package edit turns the text of a model's reply into changes to files.
//
// It works in three steps. [Parse] reads the reply and never fails. [Resolve]
// works the edits out against the files as they stand and gives, for each
// file, the exact bytes before and after, or problems, each a sentence that can
// be shown to the author of the reply. [Apply] writes the changes, all or
// nothing, and never outside its root.
//
// # What a reply may look like
//
// All forms may be mixed in one reply, with any text before, between and after.
//
// A path on a line of its own and a fence with the complete new content; the
// path may also be a heading, bold, back-ticked, numbered, labelled ("File:
// x.go"), in the fence's info string ("```go x.go", "```go path=x.go",
// "```x.go", "```go:x.go", title="x.go"), or, if it is nowhere else, in a comment in
// the first line of the fence:
//
//	path/to/file.go
//	```go
//	package file
//	```
//
// Search and replace blocks, with or without a fence, several in a row:
//
//	path/to/other.py
//	<<<<<<< SEARCH
//	exact old lines
//	=======
//	new lines
//	>>>>>>> REPLACE
//
// Unified diffs, whose line numbers may be wrong or missing, and patch envelopes
// (*** Begin Patch, *** Add File:, *** Update File:, *** Delete File:, *** Move to:).
//
// Lines that delete and rename, in capitals so that no sentence does:
//
//	DELETE path/to/old.js
//	RENAME path/a.ts -> path/b.ts
//
// Files between tags, with or without a fence: <file path="x.go"> … </file>, or
// <path>x.go</path> and <content> … </content>.
//
// A single word that is no path by its looks (mytool, gradlew) is one where such
// a file is there, which [Resolve] finds out; see [Edit.Tentative]. "File: mytool"
// makes a new one. A last fence that is not closed ends with the text, if what
// it holds shows that it is complete.
//
// A line "Summary: …" gives [Reply.Summary]. Reasoning in <think> tags is
// skipped, and so are fences without a path, which only explain.
//
// # How a block finds its place
//
// A search text has to match whole lines, first exactly, then without regard
// to blanks at line ends, then without regard to indentation; in the last case
// the replacement is indented to fit. Where it matches nowhere, or in several
// places with nothing to choose by, it is refused. Line numbers, @@ lines and
// the order of hunks choose between equal places and do nothing else.
//
// # What it does not do
//
// Paths are not judged: [Parse] hands "../x" or "/etc/x" on as they are, for the
// caller to refuse. [Resolve] and [Apply] merely never leave their root: a part
// that would has a [Protected] problem, and the rest may be applied without it.
package edit
