package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
)

// Origin is where a run started from and returns to.
type Origin struct {
	Branch string `json:"branch"` // "" when HEAD was detached
	Commit string `json:"commit"` // "" when the branch had no commit yet
	// Start is the checkpoint taken before the run.
	Start Checkpoint `json:"start"`
	// RunBranch is the branch that the run works on, "" where it works in place.
	RunBranch string `json:"run_branch,omitempty"`
}

// State is what is under way in a work tree, kept so that the next command can tell
// what a kill interrupted.
type State struct {
	Run     string `json:"run"`
	Command string `json:"command"` // run, refine, undo
	Step    string `json:"step"`    // the last one begun
	Origin  Origin `json:"origin"`
	// Last is the number of the last checkpoint.
	Last int `json:"last"`
}

func (r *Repo) statePath() string { return filepath.Join(r.ownDir(), "state.json") }

// SaveState records what is under way.
func (r *Repo) SaveState(_ context.Context, s State) error {
	if err := r.makeOwnDir(); err != nil {
		return err
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	r.step("state: before saving")
	if err := atomicfile.Write(r.statePath(), append(data, '\n'), 0o644); err != nil {
		return classify("record what is under way", err)
	}
	r.step("state: saved")
	return nil
}

// Interrupted gives what an earlier booty left unfinished in this work tree,
// nil where nothing is. To be asked by the holder of the lock: then whoever
// wrote the state has ended.
func (r *Repo) Interrupted(context.Context) (*State, error) { return readStateFile(r.statePath()) }

func readStateFile(path string) (*State, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what is under way: %w", err)
	}
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fault.New(fault.Refused, "rm "+path,
			"%s cannot be read: %w", path, err)
	}
	return &s, nil
}

// ClearState records that nothing is under way any more.
func (r *Repo) ClearState(_ context.Context) error {
	r.step("state: before clearing")
	if err := removeFile(r.statePath()); err != nil {
		return fmt.Errorf("clear what is under way: %w", err)
	}
	return nil
}
