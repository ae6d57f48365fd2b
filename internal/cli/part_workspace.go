package cli

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/manifest"
	"github.com/booty-cli/booty/internal/syntax"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// tree is the engine's Workspace over a checkout.
type tree struct {
	repo *workspace.Repo
	cfg  config.Config
	run  string
	name string // of the repository, for people
	// inPlace is refine: no branch, no clean tree needed, new files of the
	// checks stay. commit makes a green result a commit there too.
	inPlace, commit bool
	// allow are globs of files that may be touched whatever the settings say.
	allow []string
	// drafts makes what still fails a commit in place, too: a draft shows it.
	drafts bool
	// branch is the wanted one; base what it begins at, "" for HEAD.
	branch, base string
	// baseName is what people call the base.
	baseName string
	// redact replaces secrets: files are shown to the model, and commits are
	// described, without them.
	redact func(string) string
	// trailers go below the commit's message.
	trailers []string
	// tell is told lines for the user; may be nil.
	tell func(string)
	// unnamed says that nobody asked for this very name of a branch.
	unnamed bool
	// existing says that the branch is there and gone on with.
	existing bool
	// merge is brought into earlier work before it is gone on with; mergeName is
	// what people call it.
	merge, mergeName string
	// syntax asks interpreters about what a proposal leaves; may be nil.
	syntax *syntax.Checker
	// conflicts takes the paths in which that failed.
	conflicts *[]string
	// pending are those conflicts with their sides, settledPaths takes those that
	// were settled.
	pending      []workspace.ConflictText
	settledPaths *[]string
	// resettled says that the run begins at a base whose conflicts were settled.
	resettled bool
	// subject, where set, puts a summary into the form of a commit's subject.
	subject func(summary string) string

	// home is the branch that the work is done on.
	home   string
	origin workspace.Origin
	// baseCommit is what the run's branch begins at, onto what its next commit is
	// put on: that, or a later commit of the user's on the branch.
	baseCommit, onto string
	// met is what a resumed run found, nil where it works in a tree of its own;
	// theirs are the paths that the user changed between.
	met    *workspace.Met
	theirs []string
	// states are those of other families than the run's own, by commit.
	states  map[string]workspace.Checkpoint
	start   engine.State
	current engine.State
	own     map[string]bool
	// large are files that are too large to be recorded, as last seen.
	large  map[string]workspace.Large
	strays int
	// fresh are the paths that someone else changed, in place, while the last reply
	// was waited for; rest is the tree with the new files that the checks left in
	// it, nil where there are none.
	fresh []string
	rest  *workspace.Checkpoint
	left  bool
}

// Prepare implements engine.Workspace.
func (t *tree) Prepare(ctx context.Context) (engine.Start, error) {
	branch, head, err := t.repo.Head(ctx)
	if err != nil {
		return engine.Start{}, err
	}
	cp, err := t.repo.Snapshot(ctx, t.run, 0, "before the run")
	if err != nil {
		return engine.Start{}, err
	}
	t.tellLarge()
	t.origin, t.home = workspace.Origin{Branch: branch, Commit: head, Start: cp}, branch
	if t.inPlace {
		t.start = stateOf(cp)
		t.current = t.start
		if err := t.repo.SaveState(ctx, t.state("prepared")); err != nil {
			return engine.Start{}, err
		}
		return engine.Start{State: t.start, Repo: t.name, Branch: branch, Base: branch}, nil
	}
	return t.startBranch(ctx, cp, branch, head)
}

func (t *tree) state(step string) workspace.State {
	command := "run"
	if t.inPlace {
		command = "refine"
	}
	return workspace.State{Run: t.run, Command: command, Step: step, Origin: t.origin, Last: t.current.N}
}

// startBranch goes to the run's branch. A base other than what was checked
// out has a tree of its own, recorded beside the run's checkpoints.
func (t *tree) startBranch(ctx context.Context, cp workspace.Checkpoint, branch, head string) (engine.Start, error) {
	base := t.base
	if base == "" {
		base = head
	}
	baseCommit, err := t.repo.Resolve(ctx, base)
	if err != nil {
		return engine.Start{}, err
	}
	at := baseCommit
	if t.existing {
		at = ""
	}
	origin, err := t.repo.StartBranch(ctx, t.branch, at, t.state("start branch"))
	for try := 0; t.unnamed && try < 10 && errors.Is(err, workspace.ErrBranchExists); try++ {
		// Another booty, in another work tree, was faster.
		t.branch = freeBranch(ctx, t.repo, t.branch)
		origin, err = t.repo.StartBranch(ctx, t.branch, at, t.state("start branch"))
	}
	if err != nil {
		return engine.Start{}, err
	}
	t.origin, t.home = origin, t.branch
	if baseCommit, err = t.bringBase(ctx, baseCommit); err != nil {
		return engine.Start{}, err
	}
	t.baseCommit, t.onto = baseCommit, baseCommit
	t.start = stateOf(cp)
	if baseCommit != head {
		other, err := t.repo.Snapshot(ctx, t.run+workspace.BaseStates, 0, "the base of the run")
		if err != nil {
			return engine.Start{}, err
		}
		t.start = stateOf(other)
	}
	t.current = t.start
	if t.baseName == "" {
		t.baseName = branch
	}
	return engine.Start{State: t.start, Repo: t.name, Branch: t.branch, Base: t.baseName, BaseCommit: baseCommit}, nil
}

// bringBase merges the newest base into earlier work and gives the commit that
// stands then. Work in conflict with the base is gone on with as it is.
func (t *tree) bringBase(ctx context.Context, tip string) (string, error) {
	if t.merge == "" {
		return tip, nil
	}
	m, err := t.repo.Merge(ctx, t.merge, "Merge "+t.mergeName+" into "+t.branch)
	if err != nil {
		return "", err
	}
	if len(m.Conflicts) == 0 {
		return m.Commit, nil
	}
	if t.pending, err = t.repo.ConflictTexts(ctx, m.Conflicts); err != nil {
		return "", err
	}
	for _, c := range m.Conflicts {
		*t.conflicts = append(*t.conflicts, c.Path)
	}
	return tip, t.repo.AbortMerge(ctx)
}

// Resolve implements engine.Workspace.
func (t *tree) Resolve(ctx context.Context, r engine.Reply) (engine.Proposal, error) {
	var p engine.Proposal
	var edits []edit.Edit
	changes := r.Changes
	if changes == nil {
		var options []edit.Option
		if r.Ended {
			options = append(options, edit.Complete())
		}
		reply := edit.Parse(r.Text, options...)
		var problems []edit.Problem
		changes, problems = resolveShown(edit.DirFS(t.repo.Root()), reply, t.redact)
		p.Summary, p.Prose, edits = reply.Summary, proseIn(r.Text), reply.Edits
		p.Problems, p.Refused = problemsOf(problems)
	}
	g, err := t.guard(ctx)
	if err != nil {
		return p, err
	}
	v, err := g.Review(changes)
	if err != nil {
		return p, err
	}
	for _, x := range v.Refused {
		p.Refused = append(p.Refused, event.Problem{Path: x.Path, Reason: x.Reason, Kind: x.Kind})
	}
	for _, x := range v.SetAside {
		p.SetAside = append(p.SetAside, engine.SetAside{SetAside: x.SetAside, Change: x.Change})
	}
	if v.Kept, err = t.withoutLarge(ctx, v.Kept, &p); err != nil {
		return p, err
	}
	p.Changes, p.Notes = v.Kept, append(p.Notes, v.Notes...)
	p.Problems = append(p.Problems, t.overwritten(v.Kept, edits)...)
	if r.Changes == nil { // an agent has tried its own
		broken, err := t.unparsed(ctx, v.Kept)
		if err != nil {
			return p, err
		}
		p.Problems = append(p.Problems, broken...)
	}
	p.DocsOnly = docsOnly(t.cfg.DocsOnly, v.Kept)
	ignored, err := t.repo.Ignored(ctx, pathsOf(v.Kept))
	if err != nil {
		return p, err
	}
	for _, path := range ignored {
		p.Notes = append(p.Notes, path+" is ignored by git: the commit will lack it")
	}
	return p, nil
}

// guard is made anew for each proposal: what the model itself has added it
// may change again.
func (t *tree) guard(ctx context.Context) (*guard.Guard, error) {
	return guard.New(guard.Policy{
		TestEdits: t.cfg.TestEdits, TestPaths: t.cfg.TestPaths, Allow: t.allow, Protected: append(t.repo.Trusted(), t.cfg.ProtectedPaths...),
		MaxFiles: t.cfg.Limits.MaxFilesChanged, MaxDiffLines: t.cfg.Limits.MaxDiffLines, MaxFileLines: t.cfg.Limits.MaxFileLines,
		Commands: judgingCommands(t.cfg), OwnFiles: t.own,
		Base: func(path string) ([]byte, bool) {
			data, existed, err := t.repo.ReadFile(ctx, t.startOf(path).Commit, path)
			return data, existed && err == nil
		},
	}, guard.DirTree(t.repo.Root()))
}

// judgingCommands are those whose exit codes decide about a proposal.
func judgingCommands(c config.Config) []string {
	commands := append(slices.Clone(c.TestCommand), c.RerunCommand)
	for _, g := range c.Gates {
		commands = append(commands, g.Command, g.FixCommand)
	}
	return commands
}

// Apply implements engine.Workspace.
func (t *tree) Apply(ctx context.Context, n int, changes []edit.Change) (engine.State, error) {
	if err := t.setAside(ctx); err != nil {
		return engine.State{}, err
	}
	ignored, err := t.repo.Ignored(ctx, pathsOf(changes))
	if err != nil {
		return engine.State{}, err
	}
	if err := t.repo.Remember(ctx, t.run, ignored); err != nil {
		return engine.State{}, err
	}
	if err := t.repo.Intend(ctx, t.run, intended(changes)); err != nil {
		return engine.State{}, err
	}
	if err := edit.Apply(t.repo.Root(), changes); err != nil {
		return engine.State{}, fault.New(fault.Refused, "see that the files are writable and the disk is not full, then: booty resume",
			"write the proposal: %w", err)
	}
	o := workspace.SnapshotOptions{Also: ignored}
	if !t.inPlace { // setAside has just looked at everything
		o.Since, o.Only = t.current.Tree, without(pathsOf(changes), ignored)
	}
	cp, err := t.repo.Snapshot(ctx, t.run, n, fmt.Sprintf("attempt %d", n), o)
	if err != nil {
		return engine.State{}, err
	}
	if t.own == nil {
		t.own = map[string]bool{}
	}
	for _, c := range changes {
		if c.Op == edit.Create || c.Op == edit.Rename {
			t.own[c.Path] = true
		}
	}
	t.current, t.rest = stateOf(cp), nil
	return t.current, t.repo.SaveState(ctx, t.state("applied"))
}

// intended are the files that changes are about to write.
func intended(changes []edit.Change) []workspace.Intended {
	var list []workspace.Intended
	for _, c := range changes {
		if c.From != "" {
			list = append(list, workspace.Intended{Path: c.From, Gone: true})
		}
		list = append(list, workspace.Intended{Path: c.Path, Mode: c.Mode, Data: c.New, Gone: c.Op == edit.Delete})
	}
	return list
}

// Adopt implements engine.Workspace.
func (t *tree) Adopt(ctx context.Context, s engine.State, paths []string) (engine.State, []string, error) {
	if len(paths) == 0 {
		return s, nil, nil
	}
	if err := t.atHome(ctx); err != nil {
		return s, nil, err
	}
	changes, err := t.repo.Since(ctx, t.checkpoint(s))
	if err != nil {
		return s, nil, err
	}
	var fixed []string
	for _, c := range changes {
		if slices.Contains(paths, c.Path) {
			fixed = append(fixed, c.Path)
		}
	}
	return t.adopt(ctx, s, fixed, "mended by fix_command")
}

// Follow implements engine.Workspace. A lock file that the project does not keep
// is not begun; go.sum is part of any module with dependencies.
func (t *tree) Follow(ctx context.Context, s engine.State, named []string) (engine.State, []string, error) {
	manifests := slices.DeleteFunc(slices.Clone(named), func(p string) bool { return !manifest.Is(p) })
	if len(manifests) == 0 {
		return s, nil, nil
	}
	if err := t.atHome(ctx); err != nil {
		return s, nil, err
	}
	changes, err := t.repo.Since(ctx, t.checkpoint(s))
	if err != nil {
		return s, nil, err
	}
	var locks []string
	for _, c := range changes {
		kept := c.Op == "modify" || c.Op == "create" && path.Base(c.Path) == "go.sum"
		if kept && slices.ContainsFunc(manifests, func(m string) bool { return manifest.Follows(c.Path, m) }) {
			locks = append(locks, c.Path)
		}
	}
	return t.adopt(ctx, s, locks, "with the lock files of its manifests")
}

// adopt makes what was done to paths since s part of that state.
func (t *tree) adopt(ctx context.Context, s engine.State, paths []string, why string) (engine.State, []string, error) {
	if len(paths) == 0 {
		return s, nil, nil
	}
	cp, err := t.repo.Snapshot(ctx, t.run, s.N, fmt.Sprintf("attempt %d, %s", s.N, why),
		workspace.SnapshotOptions{Since: s.Tree, Only: paths, Alone: true})
	if err != nil {
		return s, nil, err
	}
	t.current = stateOf(cp)
	return t.current, paths, t.repo.SaveState(ctx, t.state("applied"))
}

// setAside keeps out of a run's commit what someone else wrote while the model
// was thinking: it is recorded, told and put back.
func (t *tree) setAside(ctx context.Context) error {
	if t.inPlace {
		return t.atHome(ctx)
	}
	names, err := t.Tidy(ctx, t.current)
	if err == nil && len(names) > 0 {
		t.say(putBackTold, someOf(names), t.strayRef())
	}
	return err
}

// atHome sees that the checkout is still on the branch of the work: someone
// may have switched it by hand, and that branch is not for booty to change.
func (t *tree) atHome(ctx context.Context) error {
	branch, commit, err := t.repo.Head(ctx)
	if err != nil || branch == t.home {
		return err
	}
	if branch == "" {
		branch = commit
	}
	return fault.New(fault.Refused, "finish there, switch back, then: booty resume "+t.run,
		"the checkout was switched to %s during the run; nothing more is changed in it", branch)
}

// Restore implements engine.Workspace.
func (t *tree) Restore(ctx context.Context, s engine.State) error {
	if err := t.atHome(ctx); err != nil {
		return err
	}
	if err := t.keepTheirs(ctx); err != nil {
		return err
	}
	if err := t.repo.Restore(ctx, t.checkpoint(s)); err != nil {
		return err
	}
	t.current, t.rest = s, nil
	return nil
}

// Tidy implements engine.Workspace.
func (t *tree) Tidy(ctx context.Context, s engine.State) ([]string, error) {
	if err := t.atHome(ctx); err != nil {
		return nil, err
	}
	changes, err := t.repo.Since(ctx, t.checkpoint(s))
	t.tellLarge()
	if err != nil || len(changes) == 0 {
		t.rest = nil
		return nil, err
	}
	var names []string
	for _, c := range changes {
		names = append(names, c.Path)
	}
	// An editor may have been at work beside the checks: what is put back is
	// recorded first, so that git can bring it back.
	t.strays++
	if _, err := t.repo.Snapshot(ctx, t.run+workspace.StrayStates, t.strays, "what the checks, or someone else, changed"); err != nil {
		return nil, err
	}
	if err := t.repo.PutBack(ctx, t.checkpoint(s), names, !t.inPlace); err != nil || !t.inPlace {
		return names, err
	}
	return names, t.leftBehind(ctx, changes)
}

// Leave implements engine.Workspace.
func (t *tree) Leave(ctx context.Context) error {
	if t.left {
		return nil
	}
	t.left = true
	if t.inPlace {
		// What undo and resume compare with.
		if err := t.repo.Leave(ctx, t.run); err != nil {
			return err
		}
		return t.repo.ClearState(ctx)
	}
	if stays, err := t.staysForTheirs(ctx); err != nil || stays {
		return err
	}
	kept, err := t.repo.Return(ctx, t.origin)
	if err != nil {
		return err
	}
	if kept != "" && t.tell != nil {
		t.tell("files that nothing else holds were kept in " + kept)
	}
	if !t.existing && t.baseCommit != "" {
		// Without a commit of its own the branch says nothing: reenter makes it again.
		if err := t.repo.DropBranch(ctx, t.branch, t.baseCommit); err != nil {
			return err
		}
	}
	return t.repo.ClearState(ctx)
}

func (t *tree) checkpoint(s engine.State) workspace.Checkpoint {
	if cp, ok := t.states[s.Commit]; ok {
		return cp
	}
	run := t.run
	if s == t.start && !t.inPlace && t.start.Commit != t.origin.Start.Commit {
		run += workspace.BaseStates
		if t.resettled {
			run = t.run + workspace.SettledStates
		}
	}
	return workspace.Checkpoint{Run: run, N: s.N, Commit: s.Commit, Tree: s.Tree}
}

func stateOf(cp workspace.Checkpoint) engine.State {
	return engine.State{N: cp.N, Commit: cp.Commit, Tree: cp.Tree}
}

// repoName is owner/name where a remote tells it, else the folder's name.
func repoName(ctx context.Context, repo *workspace.Repo) string {
	remotes, err := repo.Remotes(ctx)
	if err == nil {
		for _, r := range remotes {
			if len(r.URLs) == 0 {
				continue
			}
			if name := nameFromURL(r.URLs[0]); name != "" {
				return name
			}
		}
	}
	return path.Base(strings.ReplaceAll(repo.Root(), `\`, "/"))
}

// nameFromURL takes owner/name off a remote's address.
func nameFromURL(url string) string {
	url = strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git")
	i := strings.LastIndexAny(url, ":/")
	if i < 0 || strings.HasPrefix(url, "/") || strings.HasPrefix(url, "file:") {
		return ""
	}
	j := strings.LastIndexAny(url[:i], ":/")
	return url[j+1:]
}
