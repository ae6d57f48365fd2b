package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// Tools print paths relative to the folder in which they started.

// entering matches a change of folder, or the package in which an npm script starts.
var entering = text.Lazy("^(?:\\w*make(?:\\[\\d+\\])?: Entering directory [`'\"](?P<dir>.+)['\"]" +
	"|(?:[$+>] )?(?:cd|pushd) (?P<dir>[\\w./@-]+)(?: *(?:&&|;).*)?|> (?P<label>[^ ]+) test)$")

// enterFolders records the folders that the commands of an output changed into.
func (f *Result) enterFolders(d *stream.Stream) {
	for i := range d.Lines {
		s := d.Lines[i].S
		if !strings.Contains(s, "make") && !strings.HasSuffix(s, " test") && !strings.Contains(s, "cd ") &&
			!strings.HasPrefix(s, "pushd ") {
			continue
		}
		g := text.Groups(entering(), s)
		switch {
		case g == nil:
		case g["dir"] != "":
			f.Root.Entered(g["dir"])
		default: // its version stands behind it
			name, _, _ := strings.Cut(g["label"][1:], "@")
			f.enterLabel(g["label"][:1] + name)
		}
	}
}

// enterLabel takes the name of a workspace as a folder it may lie in.
func (f *Result) enterLabel(label string) {
	label = strings.Trim(label, "[]|: ")
	if i := strings.IndexAny(label, ": "); i > 0 {
		label = label[:i]
	}
	if i := strings.LastIndexByte(label, '/'); i >= 0 && strings.HasPrefix(label, "@") {
		label = label[i+1:]
	}
	for _, dir := range []string{"", "packages/", "apps/", "libs/", "services/", "modules/", "crates/"} {
		f.Root.Entered(dir + label)
	}
}
