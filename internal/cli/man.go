package cli

import (
	"os"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newMan writes the manual pages. It is for those who make packages, and
// hidden: --help says the same.
func newMan(f *factory) *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write the manual pages into a folder", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: f.ran(func(cmd *cobra.Command, args []string) error {
			return writeManual(cmd.Root(), args[0], f.build)
		}),
	}
}

func writeManual(root *cobra.Command, dir string, b Build) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fault.New(fault.Usage, "", "make the folder for manual pages: %w", err)
	}
	built, err := time.Parse(time.RFC3339, b.Date)
	if err != nil { // not a release
		built = time.Time{}
	}
	h := &doc.GenManHeader{Title: "BOOTY", Section: "1", Source: "booty " + b.Version, Manual: "booty", Date: &built}
	if err := doc.GenManTree(root, h, dir); err != nil {
		return fault.New(fault.Usage, "see that the folder can be written", "write the manual pages: %w", err)
	}
	return nil
}
