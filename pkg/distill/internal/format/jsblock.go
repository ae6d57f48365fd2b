package format

import "strings"

// jsErrorHead tells the first line of an error as JavaScript prints it.
func jsErrorHead(s string) bool {
	t := strings.TrimSpace(s)
	i := strings.Index(t, ":")
	name := t
	if i > 0 {
		name = t[:i]
	}
	if j := strings.IndexByte(name, ' '); j > 0 &&
		strings.HasPrefix(name[j:], " [") { // AssertionError [ERR_ASSERTION]
		name = name[:j]
	}
	name = strings.TrimPrefix(name, "Uncaught ")
	return (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) &&
		!strings.ContainsAny(name, " \t/(") && i > 0
}
