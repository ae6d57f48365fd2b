package locate

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// List names the files of the work tree at root that git tracks or would
// track, as slash paths below root.
func List(ctx context.Context, root string) ([]string, error) {
	// A file system monitor is a program that the repository's own settings
	// name; listing files must not start it.
	cmd := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false",
		"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("list the files of %s: %w", root, ctx.Err())
	}
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w: %s", root, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
}
