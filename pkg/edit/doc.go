// Package edit turns the text of a model's reply into changes to files.
//
// What comes in is text and a file system to read; what goes out are [Change]
// values, the exact bytes of each file before and after, or [Problem] values,
// sentences that can be shown to the author of the reply. It runs no command, asks
// no model, and never touches a file outside of the root it is given.
//
// It works in three steps. [Parse] scans the reply's lines, drops reasoning, and
// never fails: for every wrapper (fence, tags, call, here-document, patch) one function
// reads lines and returns the same record, an [Edit]. [Resolve] works the edits out against the files as they
// stand and looks at the result. [Apply] writes the changes, all or nothing.
//
// # What a reply may look like
//
// All forms may be mixed in one reply, with any text before, between and after.
//
// A path on a line of its own and directly under it a fence with the complete new
// content; the path may also be a heading, bold, back-ticked, numbered, labelled
// ("File: x.go"), in the fence's info string, in a line that says nothing else ("And
// here is `x.go`:"), or in a comment in the first line of the fence:
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
// (*** Begin Patch). Files between tags (<file path="x.go">), tool calls by their
// arguments, here-documents (cat > x.go <<'EOF'). Lines that delete and rename,
// in capitals, since a sentence does neither:
//
//	DELETE path/to/old.js
//	RENAME path/a.ts -> path/b.ts
//
// A single word is a path where such a file exists; "File: mytool" makes a new one.
// A line "Summary: …" gives [Reply.Summary]. Reasoning is skipped, and so are the
// tokens with which a model ends a turn. A fence without a path explains, unless
// its sentence, or its text, shows that it is meant for a file.
//
// # How a block finds its place
//
// A search text has to match whole lines, on one ladder: exactly; without regard to
// spaces at line ends; without indentation, where the replacement is indented to fit;
// without the line numbers that all its lines begin with; and last by what its
// characters stand for (curly quotes, dashes, no-break spaces, HTML entities). The
// file keeps its own. Line numbers, @@ lines and the order of hunks choose between
// equal places and do nothing else. What is ambiguous, or nowhere, is refused, with
// the block itself and the nearest text.
//
// # What is never applied in silence
//
// Three checks look at the result of each edit: is it what was meant (does the file
// still parse, did a line of the reply's form or a sign that code does not have become
// content), does a placeholder stand for code, is it a part of the file given as all
// of it. A fence that seems to end within its content, one that seems to be meant for
// a file without saying which, a command or a sentence that changes files, a new file
// whose path is nearly that of another: each is a problem. With a problem nothing of
// the reply should be applied; the edits that it does not concern ([Reply.Sound]) can
// be kept for the next one ([Merge]).
//
// # Bytes
//
// What a reply cannot show does not change: line ends, a byte order mark, a missing
// final newline, text that is no UTF-8. Paths are compared in one Unicode form.
//
// Whether a path may be touched is not judged here, except that a part that leads out
// of the root has a [Protected] problem, and the rest may be applied without it.
package edit
