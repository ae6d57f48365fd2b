// Package report turns what the journal recorded into what people read: the
// list of runs and the money, one run in detail, a page for the browser, and
// the texts of pull requests and comments.
//
// All of it is pure: plain data in, text out. Nothing here asks the network,
// the database or the terminal; the caller passes a lipgloss renderer for a
// terminal and nil for plain text.
//
// Words. Foreign text is whatever a model, a test, an issue or a file said. It
// is never trusted: on a terminal it cannot move the cursor, in Markdown it
// cannot leave its block, mention a person or refer to an issue, on the page it
// cannot become an element.
//
// Six things are written in two or three forms each (text, Markdown, HTML), and each form has
// its own way to keep foreign text harmless.
//
// The JSON of `booty status` is that of package record, with the sums added
// here; its field names are a contract with scripts.
package report
