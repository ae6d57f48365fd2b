package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reMakeDir = text.Lazy(`^\w*make(?:\[\d+\])?: Entering directory [` + "`" + `'"](.+)['"]$`)
	reShellCd = text.Lazy(`^(?:\$ |\+ |> )?(?:cd|pushd) ([\w./@-]+)(?: *(?:&&|;).*)?$`)
)

// readFolders notes the folders that a command changed into, since tools print
// paths relative to theirs.
func readFolders(d *stream.Doc, f *core.Found) {
	for i := range d.Lines {
		s := d.Lines[i].S
		if strings.Contains(s, "Entering directory") {
			if m := reMakeDir().FindStringSubmatch(s); m != nil {
				f.Root.Entered(m[1])
			}
		} else if strings.HasPrefix(s, "cd ") || strings.HasPrefix(s, "$ cd ") ||
			strings.HasPrefix(s, "+ cd ") || strings.HasPrefix(s, "pushd ") {
			if m := reShellCd().FindStringSubmatch(s); m != nil {
				f.Root.Entered(m[1])
			}
		} else if strings.HasPrefix(s, "> ") && strings.HasSuffix(s, " test") {
			// npm workspaces: "> pkg@1.0.0 test"
			name, _, _ := strings.Cut(s[2:], "@")
			if strings.HasPrefix(s, "> @") {
				name, _, _ = strings.Cut(s[3:], "@")
				name = name[strings.LastIndexByte(name, '/')+1:]
			}
			if name != "" && !strings.ContainsAny(name, " ") {
				for _, dir := range []string{"packages/", "apps/", "libs/", ""} {
					f.Root.Entered(dir + name)
				}
			}
		}
	}
}
