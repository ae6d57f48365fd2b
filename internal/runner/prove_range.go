package runner

import (
	"cmp"
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/workspace"
)

// Range is a change: two commits, and what it is called.
type Range struct {
	Base, Head string
	// Shown is the head as people know it: "" for uncommitted changes.
	Shown string
	Words string
	// run names the recorded state of uncommitted changes.
	run string
}

// RangeOf reads what a person calls a change: a branch or a commit, a range of two, or
// nothing for what the checkout holds beyond the default branch.
func RangeOf(ctx context.Context, s *Session, ref, base string) (Range, error) {
	repo := s.Repo
	if from, to, is := strings.Cut(ref, ".."); is {
		to, parted := strings.CutPrefix(to, ".")
		r, err := between(ctx, repo, cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD"), parted)
		r.Words = ref
		return r, err
	}
	if base == "" {
		var err error
		if base, err = defaultBase(ctx, s); err != nil {
			return Range{}, err
		}
	}
	if ref != "" {
		r, err := between(ctx, repo, base, ref, true)
		if err == nil && r.Base == r.Head { // it is in there already: what it brought itself
			r.Base, err = repo.Resolve(ctx, ref+"^")
		}
		r.Words = ref
		return r, err
	}
	branch, head, err := repo.Head(ctx)
	if err != nil {
		return Range{}, err
	}
	if head == "" {
		return Range{}, fault.New(fault.Git, "git add -A && git commit -m start", "there is no commit yet to compare with")
	}
	r, err := between(ctx, repo, base, "HEAD", true)
	if err != nil {
		return r, err
	}
	dirty, err := InTheWay(ctx, s)
	if err != nil {
		return r, err
	}
	r.Words = cmp.Or(branch, head[:min(12, len(head))])
	if len(dirty) == 0 {
		if r.Base == r.Head {
			return r, fault.New(fault.NothingToDo, "name a branch, a range or --pr N: booty prove --help",
				"no changes to prove: %s has no commits beyond %s, and the work tree is clean", r.Words, base)
		}
		return r, nil
	}
	r.Words = "uncommitted changes on " + r.Words
	r.Shown = ""
	return r, r.record(ctx, s)
}

// record makes a commit of booty's own of the checkout as it is.
func (r *Range) record(ctx context.Context, s *Session) error {
	lock, err := s.Repo.Lock(ctx, "prove") // a refine writes there
	if err != nil {
		return err
	}
	r.run = journal.NewRunID()
	cp, err := s.Repo.Snapshot(ctx, r.run, 0, "what is to be proven")
	r.Head = cp.Commit
	if e := lock.Unlock(); err == nil {
		err = e
	}
	return err
}

// Forget drops what was recorded for it.
func (r Range) Forget(ctx context.Context, s *Session) error {
	if r.run == "" {
		return nil
	}
	return s.Repo.Forget(context.WithoutCancel(ctx), r.run)
}

// between is the change from one revision to another, or from where they part.
func between(ctx context.Context, repo *workspace.Repo, from, to string, parted bool) (r Range, err error) {
	if r.Base, err = repo.Resolve(ctx, from); err != nil {
		return r, err
	}
	if r.Head, err = repo.Resolve(ctx, to); err != nil {
		return r, err
	}
	r.Shown = r.Head
	if !parted {
		return r, nil
	}
	base, err := repo.MergeBase(ctx, r.Base, r.Head)
	if err != nil && ctx.Err() == nil {
		return r, fault.New(fault.Usage, "name the two commits: booty prove A..B", "%s and %s have no history in common", from, to)
	}
	r.Base = base
	return r, err
}

// defaultBase is the default branch as it was last seen on the remote, else that of the
// checkout.
func defaultBase(ctx context.Context, s *Session) (string, error) {
	remotes, err := s.Repo.Remotes(ctx)
	if err != nil {
		return "", err
	}
	if base := s.Settings.GitHub.Base; base != "" {
		return base, nil
	}
	if len(remotes) > 0 {
		name := remotes[0].Name
		if branch, err := s.Repo.DefaultBranch(ctx, name); err == nil {
			if _, err := s.Repo.Resolve(ctx, "refs/remotes/"+name+"/"+branch); err == nil {
				return name + "/" + branch, nil
			}
		}
	}
	return s.Repo.DefaultBranch(ctx, "")
}
