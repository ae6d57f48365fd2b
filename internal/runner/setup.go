package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/manifest"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/workspace"
)

// setups knows when the setup of a checkout must run, and when it need not.
type setups struct {
	tree    *workspace.Repo // where it runs
	journal *journal.Journal
	// home is the root of the checkout: what was set up there is set up in a tree that
	// has its ignored files.
	home string
	// force runs it though nothing has changed.
	force bool
	// files are the inputs there are; done is the digest of those that the last
	// success of this run, or the one that let it be skipped, had.
	files []string
	done  string
	// skipped says that it did not run in this run so far.
	skipped bool
}

// look lists the inputs and returns their digest; "" if no manifest is known.
func (s *setups) look(ctx context.Context, command string) (string, error) {
	all, err := s.tree.Listing.Files(ctx)
	if err != nil {
		return "", err
	}
	s.files = nil
	known := false
	for _, p := range all {
		if manifest.Input(p) || slices.Contains(strings.Fields(command), p) ||
			slices.Contains(strings.Fields(command), "./"+p) {
			s.files = append(s.files, p)
			known = known || manifest.Is(p) || manifest.IsLock(p)
		}
	}
	if !known {
		return "", nil
	}
	return s.digest(command)
}

// digest is that of the inputs as they are now, those among more as well. A file
// that is not there adds nothing.
func (s *setups) digest(command string, more ...string) (string, error) {
	files := slices.Clone(s.files)
	for _, p := range more {
		if manifest.Input(p) {
			files = append(files, p)
		}
	}
	slices.Sort(files)
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\x00", command)
	for _, p := range slices.Compact(files) {
		if err := addFile(hash, s.tree.Root(), p); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:16]), nil
}

func addFile(hash io.Writer, root, name string) error {
	f, err := regular.Open(filepath.Join(root, filepath.FromSlash(name)))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look what setup depends on: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return fmt.Errorf("look what setup depends on: %s: %w", name, err)
	}
	fmt.Fprintf(hash, "%s\x00%x\x00", name, sum.Sum(nil))
	return nil
}

// due reports whether the setup must run; digest is that of its inputs.
func (s *setups) due(ctx context.Context, digest string) (bool, error) {
	if s.force || digest == "" {
		return true, nil
	}
	for _, root := range []string{s.tree.Root(), s.home} {
		last, ok, err := s.journal.Setup(ctx, root)
		if err != nil {
			return true, err
		}
		if ok && last.Inputs == digest && s.has(last.Folders) {
			return false, nil
		}
	}
	return true, nil
}

// has reports whether the folders that a setup made are there.
func (s *setups) has(folders []string) bool {
	for _, folder := range folders {
		if !isFolder(filepath.Join(s.tree.Root(), filepath.FromSlash(folder))) {
			return false
		}
	}
	return true
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// succeeded remembers a success.
func (s *setups) succeeded(ctx context.Context, digest string) error {
	s.done, s.skipped = digest, false
	if digest == "" {
		return nil
	}
	folders, err := s.folders(ctx)
	if err != nil {
		return err
	}
	return s.journal.SaveSetup(ctx, s.tree.Root(), journal.SetupDone{Inputs: digest, Folders: folders})
}

// failed forgets an earlier success: what it had made may be half gone.
func (s *setups) failed(ctx context.Context) error {
	return s.journal.SaveSetup(ctx, s.tree.Root(), journal.SetupDone{})
}

// folders are those beside the manifests that git ignores, as packages are.
func (s *setups) folders(ctx context.Context) ([]string, error) {
	places := []string{"."}
	for _, p := range s.files {
		places = append(places, path.Dir(p))
	}
	slices.Sort(places)
	var found []string
	for _, place := range slices.Compact(places) {
		entries, err := os.ReadDir(filepath.Join(s.tree.Root(), filepath.FromSlash(place)))
		if err != nil {
			continue // the manifest has gone since
		}
		for _, e := range entries {
			if e.IsDir() && e.Name() != ".git" {
				found = append(found, path.Join(place, e.Name()))
			}
		}
	}
	return s.tree.States.Ignored(ctx, found)
}

// Setup implements engine.Checks.
func (c *checks) Setup(ctx context.Context, report func(event.CheckFinished)) (engine.Verdict, error) {
	if c.suite.Setup == nil {
		return engine.Verdict{Verdict: failure.Verdict{Green: true}}, nil
	}
	digest, err := c.setups.look(ctx, c.suite.Setup.Command)
	if err != nil {
		return engine.Verdict{}, err
	}
	due, err := c.setups.due(ctx, digest)
	if err != nil {
		return engine.Verdict{}, err
	}
	if !due {
		c.setups.done, c.setups.skipped = digest, true
		return engine.Verdict{Verdict: failure.Verdict{Green: true}, Skipped: true}, nil
	}
	if taken, err := c.shared.take(c, digest); err != nil || taken {
		if err == nil {
			err = c.setups.succeeded(ctx, digest)
		}
		return engine.Verdict{Verdict: failure.Verdict{Green: true}, Skipped: true}, err
	}
	made, err := c.shared.begin(ctx, c)
	if err != nil {
		return engine.Verdict{}, err
	}
	r, err := c.runner.Run(ctx, *c.suite.Setup)
	if err != nil {
		return engine.Verdict{}, err
	}
	c.finished(ctx, engine.VerifyInput{Report: report}, r)
	if r.Passed {
		err = errors.Join(c.setups.succeeded(ctx, digest), made(digest))
	} else {
		err = c.setups.failed(ctx)
	}
	v := failure.Verdict{Green: r.Passed, Text: whyFailed(r), Environment: r.Environment, Hint: r.Hint}
	return engine.Verdict{Verdict: v}, err
}

// setupAgain reports whether what setup depends on has changed since it last ran. Tools that would
// refuse a manifest without its lock file may write it.
func (c *checks) setupAgain(named []string) (digest string, again bool, err error) {
	if c.suite.Setup == nil || c.setups.done == "" {
		return "", false, nil
	}
	digest, err = c.setups.digest(c.suite.Setup.Command, named...)
	return digest, err == nil && digest != c.setups.done, err
}

// lockers are the words by which setups refuse to write a lock file, and what
// lets them.
var lockers = [...]struct{ pattern, instead string }{
	{`\bnpm (?:ci|clean-install)\b`, "npm install"},
	{`\bpnpm (?:i|install)\b`, "pnpm install --no-frozen-lockfile"},
	{` --frozen-lockfile\b| --immutable\b| --locked\b| --frozen\b`, ""},
	{`(^|[;&|]\s*)yarn\b`, "${1}env YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn"},
	{`(^|[;&|]\s*)bundle install\b`, "${1}env BUNDLE_FROZEN=false BUNDLE_DEPLOYMENT=false bundle install"},
	{`\bpoetry install\b`, "poetry lock && poetry install"},
}

// unlocked is a setup command that may write lock files.
func unlocked(command string) string {
	for _, l := range lockers {
		command = regexp.MustCompile(l.pattern).ReplaceAllString(command, l.instead)
	}
	return command
}
