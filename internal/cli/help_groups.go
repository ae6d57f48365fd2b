package cli

import "strings"

// flagGroup is a heading of help, and the flags below it.
type flagGroup struct{ title, names string }

// flagGroups are those of the commands with many flags.
func flagGroups() []flagGroup {
	return []flagGroup{
		{"Task", "task task-file issue pr spec next label all hint restart"},
		{"Result", "branch base draft no-pr commit message accept review no-review challenge dry-run"},
		{"Model", "model provider base-url candidates file record replay"},
		{"Limit", "max-retries budget timeout patient"},
		{"Repository", "test-edits allow setup"},
	}
}

// manyFlags is the number of flags from which on help groups them.
const manyFlags = 15

// grouped puts the flags of a command's help below headings, if there are many.
func grouped(help string) string {
	const heading = "\nFlags:\n"
	before, rest, ok := strings.Cut(help, heading)
	list, after, _ := strings.Cut(rest, "\n\n")
	lines := strings.Split(list, "\n")
	if !ok || len(lines) < manyFlags {
		return help
	}
	of := map[string]string{}
	for _, g := range flagGroups() {
		for name := range strings.FieldsSeq(g.names) {
			of["--"+name] = g.title
		}
	}
	in := map[string][]string{}
	for _, line := range lines {
		title := of[flagName(line)]
		in[title] = append(in[title], line)
	}
	var b strings.Builder
	b.WriteString(before)
	for _, g := range append(flagGroups(), flagGroup{"Other", ""}) {
		found := in[g.title]
		if g.names == "" {
			found = in[""]
		}
		if len(found) > 0 {
			b.WriteString("\n" + g.title + " flags:\n" + strings.Join(found, "\n") + "\n")
		}
	}
	return b.String() + "\n" + after
}

// flagName is the long name of the flag that a line of help begins with.
func flagName(line string) string {
	for word := range strings.FieldsSeq(line) {
		if strings.HasPrefix(word, "--") {
			return word
		}
		if !strings.HasPrefix(word, "-") {
			break
		}
	}
	return ""
}
