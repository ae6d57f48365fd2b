package sandbox

import (
	"fmt"
	"strings"
)

// profile is the text for sandbox-exec. Later rules win there. Symbolic links
// are resolved before the rules are asked, as they are in rules.
func profile(r rules) string {
	var b strings.Builder
	b.WriteString("(version 1)\n(allow default)\n")
	b.WriteString("(deny file-write*)\n")
	b.WriteString("(allow file-write* (regex #\"^/dev/(null|zero|tty|ptmx|dtracehelper|fd/[0-9]+)$\"))\n")
	// Terminals: those alone that the command itself has opened.
	b.WriteString("(deny file-read* file-write* (regex #\"^/dev/ttys[0-9]+$\"))\n")
	b.WriteString("(allow file-read* file-write* (require-all (regex #\"^/dev/ttys[0-9]+$\") (extension \"com.apple.sandbox.pty\")))\n")
	for _, w := range r.Write {
		fmt.Fprintf(&b, "(allow file-write* (subpath %s))\n", scheme(w))
	}
	for _, h := range r.home.hidden { // names may be looked up: paths are resolved through them
		fmt.Fprintf(&b, "(deny file-read-data file-read-xattr process-exec* (subpath %s))\n", scheme(h))
	}
	for _, k := range r.home.places {
		fmt.Fprintf(&b, "(allow file-read* process-exec* (subpath %s))\n", scheme(k))
	}
	for _, s := range r.secrets {
		fmt.Fprintf(&b, "(deny file-read* file-write* (subpath %s))\n", scheme(s))
	}
	if r.root != "" {
		// The work tree may lie among booty's own files.
		fmt.Fprintf(&b, "(allow file-read* file-write* process-exec* (subpath %s))\n", scheme(r.root))
		for _, s := range r.secrets {
			if inside(s, r.root) && s != r.root {
				fmt.Fprintf(&b, "(deny file-read* file-write* (subpath %s))\n", scheme(s))
			}
		}
	}
	for _, f := range r.Fixed {
		fmt.Fprintf(&b, "(deny file-write* (subpath %s))\n", scheme(f))
	}
	for _, o := range r.Open {
		fmt.Fprintf(&b, "(allow file-write* (subpath %s))\n", scheme(o))
	}
	if r.Offline {
		b.WriteString("(deny network*)\n")
		b.WriteString("(allow network-bind (local ip \"localhost:*\"))\n(allow network-inbound (local ip \"localhost:*\"))\n")
		b.WriteString("(allow network-outbound (remote ip \"localhost:*\"))\n(allow network* (local unix-socket))\n(allow network* (remote unix-socket))\n")
	}
	b.WriteString("(deny signal)\n(allow signal (target self))\n(allow signal (target same-sandbox))\n")
	return b.String()
}

// scheme quotes a path for the profile's language.
func scheme(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
