package runner

import (
	"cmp"
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/history"
)

// Range is a change: two commits, and a name for it.
type Range struct {
	Base, Head string
	// Shown is the head as people know it: "" for uncommitted changes.
	Shown string
	Words string
}

// RangeOf parses the name of a change: a branch, a commit, a range A..B, or "" for everything in
// the checkout beyond the default branch.
func RangeOf(ctx context.Context, s *Session, ref, base string) (Range, error) {
	repo := s.Repo
	if from, to, is := strings.Cut(ref, ".."); is {
		to, parted := strings.CutPrefix(to, ".")
		from, apart := cmp.Or(from, "HEAD"), ""
		if parted {
			apart = from
		}
		r, err := between(ctx, repo.History, from, cmp.Or(to, "HEAD"), apart)
		r.Words = ref
		return r, err
	}
	from := base
	if base == "" {
		var err error
		if base, from, err = defaultBase(ctx, s); err != nil {
			return Range{}, err
		}
	}
	if ref != "" {
		r, err := between(ctx, repo.History, from, ref, base)
		r.Words = ref + " against " + base
		if err == nil && r.Base == r.Head { // it is in there already: what it brought itself
			r.Base, err = repo.History.Resolve(ctx, ref+"^")
			r.Words = ref + " against its parent"
		}
		return r, err
	}
	branch, head, err := repo.Head(ctx)
	if err != nil {
		return Range{}, err
	}
	if head == "" {
		return Range{}, fault.New(fault.Git, "git add -A && git commit -m start",
			"there is no commit yet to compare with")
	}
	r, err := between(ctx, repo.History, from, "HEAD", base)
	if err != nil {
		return r, err
	}
	dirty, err := InTheWay(ctx, s)
	if err != nil {
		return r, err
	}
	name := cmp.Or(branch, head[:min(12, len(head))])
	r.Words = name + " against " + base
	if len(dirty) == 0 {
		if r.Base == r.Head {
			const hint = "name a branch, a range or --pr N: booty prove --help"
			if name == base {
				return r, fault.New(fault.NothingToDo, hint, "no changes to prove: %s is the base, and the work tree is clean", name)
			}
			return r, fault.New(fault.NothingToDo, hint,
				"no changes to prove: %s has no commits beyond %s, and the work tree is clean", name, base)
		}
		return r, nil
	}
	r.Words = "uncommitted changes on " + r.Words
	r.Shown = ""
	return r, r.record(ctx, s)
}

// record makes a commit of booty's own of the checkout as it is.
func (r *Range) record(ctx context.Context, s *Session) error {
	cp, err := lookAtCheckout(ctx, s)
	r.Head = cp.Commit
	return err
}

// between is the change from one revision to another or, where that is called base, from
// where they part.
func between(ctx context.Context, h history.Reader, from, to, base string) (r Range, err error) {
	if r.Base, err = h.Resolve(ctx, from); err != nil {
		return r, err
	}
	if r.Head, err = h.Resolve(ctx, to); err != nil {
		return r, err
	}
	r.Shown = r.Head
	if base == "" {
		return r, nil
	}
	common, err := h.MergeBase(ctx, r.Base, r.Head)
	if err != nil && ctx.Err() == nil {
		if h.Shallow(ctx) {
			return r, fault.New(fault.Usage,
				"git fetch --unshallow; in a workflow, actions/checkout with fetch-depth: 0",
				"this checkout is shallow, and lacks the history that %s has in common with %s", to, base)
		}
		return r, fault.New(fault.Usage, "name the two commits: booty prove A..B",
			"%s and %s have no history in common", base, to)
	}
	r.Base = common
	return r, err
}

// defaultBase is the default branch of the remote, as the remote has it now, by its name and
// its commit; without a remote, that of the checkout.
func defaultBase(ctx context.Context, s *Session) (name, commit string, err error) {
	remotes, err := s.Repo.Remote.List(ctx)
	if err != nil {
		return "", "", err
	}
	branch := s.Settings.GitHub.Base
	if len(remotes) == 0 {
		if branch == "" {
			branch, err = s.Repo.Remote.DefaultBranch(ctx, "")
		}
		if branch == "" && err == nil {
			err = fault.New(fault.Usage, "name it: booty prove --base BRANCH",
				"no branch is known to compare with")
		}
		return branch, branch, err
	}
	remote := remotes[0].Name
	if branch == "" {
		if branch, err = s.Repo.Remote.AskDefaultBranch(ctx, remote); err != nil {
			return "", "", notAsked(remote, err)
		}
	}
	name = remote + "/" + branch
	if commit, err = s.Repo.Remote.Borrow(ctx, remote, "refs/heads/"+branch, ""); err != nil {
		return "", "", notAsked(remote, err)
	}
	return name, commit, nil
}

// notAsked refuses to guess what a remote would say.
func notAsked(remote string, err error) error {
	return fault.New(fault.Git, "name what to compare with: booty prove --base BRANCH, or booty prove A..B",
		"the default branch of %s is not known: %w", remote, err)
}
