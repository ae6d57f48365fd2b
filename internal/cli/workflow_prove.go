package cli

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/spf13/cobra"
)

var (
	//go:embed workflow_prove.yml.tmpl
	proveTemplate string
	//go:embed workflow_prove_comment.yml.tmpl
	commentTemplate string
)

// The workflows that init writes, by the command that they run.
const (
	runWorkflow   = "run"
	proveWorkflow = "prove"
)

// provePath proves pull requests; commentPath comments on them, in a job that runs no code of theirs.
const (
	provePath   = ".github/workflows/booty-prove.yml"
	commentPath = ".github/workflows/booty-prove-comment.yml"
)

// workflowArg takes the name of a workflow after --workflow, which stands alone as well.
func (o *initOptions) workflowArg(cmd *cobra.Command, args []string) error {
	if o.workflow != "" && len(args) == 1 {
		o.workflow = args[0]
		args = nil
	}
	return cobra.NoArgs(cmd, args)
}

// checkWorkflow refuses what does not go with --workflow.
func (o *initOptions) checkWorkflow() error {
	switch {
	case o.workflow != "" && o.workflow != runWorkflow && o.workflow != proveWorkflow:
		return fault.New(fault.Usage, "", "--workflow: want run or prove, got %q", o.workflow)
	case o.queue && o.workflow != runWorkflow:
		return fault.New(fault.Usage, "booty init --workflow --queue",
			"--queue is for --workflow: it adds a schedule to it")
	case o.workflow == proveWorkflow && (o.check || o.noRun || o.testCommand != ""):
		return fault.New(fault.Usage, "booty init --workflow prove",
			"--workflow prove writes no settings: it cannot be combined with --check, --no-run or --test-command")
	}
	return nil
}

// writeProveWorkflow writes the two workflows that prove pull requests. It overwrites neither
// without force.
func (f *factory) writeProveWorkflow(root string, force bool) error {
	texts := map[string]string{
		provePath:   proveText(f.build.Version),
		commentPath: commentTemplate,
	}
	paths := []string{provePath, commentPath}
	there := func(path string) bool {
		_, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
		return !errors.Is(err, fs.ErrNotExist)
	}
	if i := slices.IndexFunc(paths, there); i >= 0 && !force {
		return fault.New(fault.Usage, "booty init --workflow prove --force overwrites it",
			"%s already exists", paths[i])
	}
	for _, path := range paths {
		file := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fault.New(fault.Usage, "make the folder writable", "write %s: %w", path, err)
		}
		if err := writeFile(file, []byte(texts[path])); err != nil {
			return err
		}
		f.say("booty: wrote %s", path)
	}
	f.say("booty: next: add what your tests need to %s, and commit both (docs/prove.md)", provePath)
	return nil
}

// proveText fills the template in.
func proveText(version string) string {
	return strings.Replace(proveTemplate, "@INSTALL@", installSteps(version), 1)
}
