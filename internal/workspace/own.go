package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/booty-cli/booty/internal/fault"
)

// ownDir is where booty keeps its own files of this work tree: its index and git
// directory, what is under way, the message of a commit. It lies where the
// commands of the repository cannot write, and is found by the git directory.
func (r *Repo) ownDir() string { return ownDirOf(r.stateDir, r.gitDir) }

func ownDirOf(stateDir, gitDir string) string {
	if stateDir == "" {
		return filepath.Join(gitDir, "booty")
	}
	if real, err := filepath.EvalSymlinks(gitDir); err == nil {
		gitDir = real
	}
	sum := sha256.Sum256([]byte(gitDir))
	return filepath.Join(stateDir, "trees", hex.EncodeToString(sum[:10]))
}

// ofFile names, in ownDir, the git directory that it is of.
const ofFile = "git-dir"

// WordsFile is where the words of the work tree's files may be kept, "" where the
// commands of the repository could write there.
func (r *Repo) WordsFile() string {
	if r.stateDir == "" {
		return ""
	}
	return filepath.Join(r.ownDir(), "words")
}

// makeOwnDir makes sure that ownDir is there.
func (r *Repo) makeOwnDir() error {
	dir := r.ownDir()
	err := r.amongOwn(func() error {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		return keepFile(filepath.Join(dir, ofFile), r.gitDir+"\n")
	})
	if err != nil {
		return fault.New(fault.Refused, "see that you may write there", "keep booty's own files of the work tree: %w", err)
	}
	return nil
}

// dropOrphans removes the files of work trees that are gone.
func (r *Repo) dropOrphans() error {
	if r.stateDir == "" {
		return nil
	}
	return r.amongOwn(r.dropOrphansAlone)
}

// dropOrphansAlone is dropOrphans for whoever holds the lock.
func (r *Repo) dropOrphansAlone() error {
	all, err := filepath.Glob(filepath.Join(r.stateDir, "trees", "*", ofFile))
	if err != nil {
		return err
	}
	for _, path := range all {
		of, err := os.ReadFile(path)
		if err != nil || len(of) == 0 {
			continue
		}
		if _, err := os.Lstat(string(of[:len(of)-1])); os.IsNotExist(err) {
			if err := os.RemoveAll(filepath.Dir(path)); err != nil {
				return err
			}
		}
	}
	return nil
}
