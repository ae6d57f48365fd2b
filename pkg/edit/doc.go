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
// A line "Delete path/to/old.js" does so too where it is a paragraph of its own,
// under no condition, and the file is there.
//
// Files between tags, with or without a fence: <file path="x.go"> … </file>, or
// <path>x.go</path> and <content> … </content>.
//
// A tool call, in the ways that models write them (named parameters between tags,
// JSON), by its arguments: a path with content, a path with an old and a new
// text, a patch. A here-document that writes a file (cat > x.go <<'EOF') or
// carries a patch. No other command is read, and none is run.
//
// A sentence that says nothing but which file follows ("And here is `x.go`:"),
// right above a fence.
//
// A single word that is no path by its looks (mytool, gradlew) is one where such
// a file is there, which [Resolve] finds out; see [Edit.Tentative]. "File: mytool"
// makes a new one. A last fence that is not closed ends with the text, if what
// it holds shows that it is complete; with [Complete] it ends with the text.
//
// A line "Summary: …" gives [Reply.Summary]. Reasoning is skipped, whatever tags
// or channels a model puts it in, and so are the tokens with which it ends a turn.
// A fence without a path only explains, where its sentence or its language says
// so, or where its lines stand in a file before or after.
//
// # What is never applied in silence
//
// Whatever may be an edit but is not surely one is a problem, and with a problem
// nothing of the reply should be applied:
//
//   - a fence that seems to end within its content, at a fence line inside a
//     docstring or a template: a longer fence is asked for
//   - a fence under a sentence that names a file, or speaks of an updated one,
//     with content that is in no file; a fence of code behind an edit that nothing
//     says to be an example; a command or a sentence that deletes,
//     renames or changes a file; a call of a tool that does not exist
//   - a part of a file given as if it were all of it; a placeholder for code
//   - line numbers, tokens of a model, HTML entities, typographic quotes and
//     characters that cannot be seen, where they would become content
//   - a new file whose path is nearly that of a file that is there
//
// # How a block finds its place
//
// A search text has to match whole lines, first exactly, then without regard
// to blanks at line ends, then without regard to indentation, where the
// replacement is indented to fit; then without the line numbers that all its
// lines begin with; and last by what its characters stand for, where curly
// quotes, dashes, no-break blanks and HTML entities count as the plain ones. The
// file keeps its own, and new lines are written in its way. Where a search text
// matches nowhere, or in several places with nothing to choose by, it is refused.
// Line numbers, @@ lines and the order of hunks choose between equal places and
// do nothing else, a line number only if it lies within the file and clearly
// nearest to one of them.
//
// # What it does not do
//
// Paths are not judged: [Parse] hands "../x" or "/etc/x" on as they are, for the
// caller to refuse. [Resolve] and [Apply] merely never leave their root: a part
// that would has a [Protected] problem, and the rest may be applied without it.
// An absolute path below the root of a [Rooted] file system counts as a relative
// one; another that ends with the path of a file is told with that path.
package edit
