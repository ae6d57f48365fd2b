package runner

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/globs"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/look"
	"github.com/booty-cli/booty/internal/prompt"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/retrieval"
	"github.com/booty-cli/booty/internal/tokens"
)

// prompts is the engine's Prompts: it chooses files and puts requests into
// words.
type prompts struct {
	root, repo string
	task       string
	nonce      string
	cfg        config.Config
	editFormat func(role engine.Role) string
	isTest     func(string) bool
	redact     func(string) string
	// list returns the files, past the repository's newest commits.
	list    func(ctx context.Context) ([]string, error)
	past    func(ctx context.Context, n int) ([]history.PastCommit, error)
	ignored ignores
	// tried returns the results of tests for changes in earlier runs.
	tried func(ctx context.Context) ([]journal.Tried, error)
	// change returns the difference between two states of the work, without what came before it.
	change func(ctx context.Context, from, to engine.State) (string, error)
	// oldTests returns the text of tests as they stood, at the places where they fail.
	oldTests func(ctx context.Context, failures []event.Failure) (string, error)
	// looking tells the model how to ask to see more.
	looking bool
	// perToken returns how many pieces a model counts as one token.
	perToken func(ctx context.Context, role engine.Role, escalate bool) float64
	// index is made at first use and kept: within a run the model alone adds
	// files, and those are named by the last change.
	index *retrieval.Index
	tree  string
	// shown is what the requests so far have shown.
	shown shown
	mu    sync.Mutex
}

// files returns the index of the repository's files.
func (p *prompts) files(ctx context.Context) (*retrieval.Index, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.index != nil {
		return p.index, nil
	}
	files, err := p.list(ctx)
	if err != nil {
		return nil, err
	}
	p.index = retrieval.New(p.root, files, retrieval.Options{
		Include: p.cfg.Context.Include, Exclude: p.cfg.Context.Exclude, IsTest: p.isTest, IsSecret: secretFile,
		IsIgnored: func(path string) bool { return isIgnored(context.WithoutCancel(ctx), p.ignored, path) },
		Task:      p.task,
		History:   p.history,
	})
	return p.index, nil
}

// maxPast is how many past commits are read for what changes together.
const maxPast = 2000

// history returns past changes, from the repository and earlier runs. Errors are ignored: without
// a past, only the files count.
func (p *prompts) history(ctx context.Context) []retrieval.PastChange {
	commits, _ := p.past(ctx, maxPast)
	tried, _ := p.tried(ctx)
	out := make([]retrieval.PastChange, 0, len(commits)+len(tried))
	for _, c := range commits {
		out = append(out, retrieval.PastChange{Message: c.Message, Files: c.Paths})
	}
	for _, t := range tried {
		out = append(out, retrieval.PastChange{Files: t.Files, Failed: t.Failed})
	}
	return out
}

// firstTokens is the most that the files of a request take before attempts have failed.
const firstTokens = 20_000

// budget is how many pieces of files a request shows: what it should need, or,
// after failed attempts, what it may have.
func (p *prompts) budget(wide bool, perToken float64) int {
	tokens := p.cfg.Context.MaxTokens * 7 / 10
	if !wide {
		tokens = min(tokens, firstTokens)
	}
	return int(float64(tokens) * perToken)
}

// warm reads the files into the index while the baseline runs.
func (p *prompts) warm(ctx context.Context) {
	if index, err := p.files(ctx); err == nil { // else told when files are chosen
		_ = index.Warm(ctx) // what is missing is read when it is needed
	}
}

// newPrompts makes the engine's Prompts.
func newPrompts(s *Session, j Job, m *models, isTest func(string) bool, repo string) *prompts {
	c := s.Settings.Config
	c.Context.Include = slices.Concat(c.Context.Include, j.Options.Files)
	hint := j.Options.Hint
	if j.Again != nil && j.Again.Memory.Question != "" {
		hint = "" // it is the answer
	}
	return &prompts{
		root: s.Repo.Root(), repo: repo, task: s.Redact.String(withHint(j.Task.Text, hint)), nonce: newNonce(), cfg: c,
		isTest: isTest, redact: s.Redact.String, list: s.Repo.Listing.Files, past: s.Repo.History.Past, ignored: s.Repo.States.Ignored,
		tried:   func(ctx context.Context) ([]journal.Tried, error) { return s.Journal.Tried(ctx, s.Home) },
		looking: m.agent == nil, perToken: m.perToken,
		editFormat: func(role engine.Role) string {
			if m.main == nil {
				return "auto"
			}
			return m.pick(role, false).Describe().EditFormat
		},
	}
}

// withHint adds the user's extra instruction to a task.
func withHint(task, hint string) string {
	if hint == "" {
		return task
	}
	return strings.TrimSpace(task + "\n\nExtra instruction from the user:\n" + hint)
}

// newNonce makes one of letters alone: each has as many tokens as the other, and few.
func newNonce() string {
	letters := strings.Map(func(c rune) rune {
		if c < 'A' {
			return -1
		}
		return c
	}, rand.Text()+rand.Text())
	return strings.ToLower(letters)[:12]
}

// Compose implements engine.Prompts.
func (p *prompts) Compose(ctx context.Context, b engine.Brief) (engine.Prompt, error) {
	index, err := p.files(ctx)
	if err != nil {
		return engine.Prompt{}, err
	}
	ratio := tokens.Within(p.perToken(ctx, b.Role, b.Escalate))
	in := p.input(b, index, ratio)
	if len(b.Stood) == 0 { // else what was shown before is not needed again
		if err := p.show(ctx, &in, b, index, ratio); err != nil {
			return engine.Prompt{}, err
		}
		in.Tree = p.treeOf(index)
	}
	for _, a := range b.Answers {
		in.Answers = append(in.Answers,
			prompt.Answer{Question: p.redact(a.Question), Answer: p.redact(a.Answer)})
	}
	if b.To.Commit != "" {
		diff, err := p.change(ctx, b.From, b.To)
		if err != nil {
			return engine.Prompt{}, err
		}
		in.Diff, in.Attempt = p.redact(diff), 0 // it is none
	}
	if len(b.Stood) > 0 {
		if in.OldTests, err = p.oldTests(ctx, b.Stood); err != nil {
			return engine.Prompt{}, err
		}
		in.OldTests, in.Conventions, in.LastSummary = p.redact(in.OldTests), nil, ""
	}
	out, err := prompt.Assemble(in)
	if err != nil {
		return engine.Prompt{}, err
	}
	whole := fromPrompt(out)
	if len(b.Stood) > 0 {
		return whole, nil
	}
	p.shown.tokens = out.Tokens
	whole.LeftOut = append(leftOut(in, out, ratio), p.shown.leftOut...)
	for _, a := range p.shown.answers {
		whole.Answers = append(whole.Answers, engine.AskOf(a.Request, a.Answer))
	}
	return whole, nil
}

// input is what a request says beside the files.
func (p *prompts) input(b engine.Brief, index *retrieval.Index, ratio float64) prompt.Input {
	in := prompt.Input{
		Role: string(b.Role), Repo: p.repo, Nonce: p.nonce, Task: p.task, Attempt: b.Attempt, Max: b.Max,
		LastSummary: p.redact(b.LastSummary), RolledBack: p.redact(b.RolledBack), Conventions: p.conventions(),
		EditFormat: p.editFormat(b.Role), TestEdits: p.cfg.TestEdits, Protected: p.cfg.ProtectedPaths,
		AskEvidence: p.cfg.Evidence.Mode != "off", MaxTokens: p.cfg.Context.MaxTokens, PerToken: ratio,
		Below: b.Below, Kept: b.Kept, MayLook: p.looking, LooksLeft: b.Looks,
	}
	if b.Failure != nil {
		in.Failure, in.Before = p.redact(b.Failure.Text), b.Before
	}
	in.Old = p.redact(report.Some(b.Old))
	for _, problem := range b.Problems {
		reason := p.redact(problem.Reason)
		if problem.Path != "" && !index.MayShow(problem.Path) {
			reason = "this file is never shown, and cannot be edited" // the reason may quote it
		}
		in.Problems = append(in.Problems, prompt.Problem{Path: problem.Path, Reason: reason})
	}
	return in
}

// need is what the files of a request are chosen by.
func (p *prompts) need(b engine.Brief, ratio float64) retrieval.Need {
	need := retrieval.Need{
		Task: p.task, Last: slices.Concat(b.LastFiles, b.LookedAt), Wide: b.Wide, Pieces: p.budget(b.Wide, ratio),
	}
	for _, problem := range b.Problems {
		if problem.Path != "" {
			need.Last = append(need.Last, problem.Path)
		}
	}
	if b.Failure == nil || b.Before {
		return need // what failed before the work chooses no files
	}
	need.Failure, need.Lines = b.Failure.Text, map[string][]int{}
	need.Suspects = slices.DeleteFunc(slices.Clone(b.Failure.Files), func(path string) bool {
		return !strings.Contains(need.Failure, path[strings.LastIndexByte(path, '/')+1:]) // nothing points to it
	})
	for _, f := range b.Failure.Failures {
		if f.File != "" && f.Line > 0 {
			need.Lines[f.File] = append(need.Lines[f.File], f.Line)
		}
		if f.Test != "" {
			need.Tests = append(need.Tests, retrieval.FailingTest{Name: f.Test, File: f.File, Line: f.Line})
		}
	}
	return need
}

// answerWords tell the model how its request to see something was answered.
func answerWords(a retrieval.Answer) string {
	said := map[string]string{look.Shown: "shown", look.NotFound: "not found", look.Refused: "refused",
		look.TooLarge: "too large", look.Kept: a.Note}[a.Answer]
	if a.Note != "" && a.Answer != look.Kept {
		said += ": " + a.Note
	}
	return said
}

// treeBytes bounds the list of file names in a request: some 1,500 tokens, since names split into many.
const treeBytes = 4 << 10

// treeOf is the list of files, the same through a run: caches of requests hit.
func (p *prompts) treeOf(index *retrieval.Index) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tree == "" {
		p.tree = index.Tree(treeBytes, p.task)
	}
	return p.tree
}

func fromPrompt(p prompt.Prompt) engine.Prompt {
	out := engine.Prompt{System: p.System, User: p.User, Stable: p.Stable, Tokens: p.Tokens,
		Shrinkable: p.Shrinkable}
	for _, f := range p.Files {
		out.Files = append(out.Files, event.ContextFile{Path: f.Path, Tokens: f.Tokens, Part: f.Part,
			Lines: f.Lines, Why: f.Why})
	}
	return out
}

// maxConvention bounds one file of conventions, in bytes.
const maxConvention = 12000

// conventions reads the files with the project's rules.
func (p *prompts) conventions() []prompt.File {
	var out []prompt.File
	for _, name := range p.cfg.Context.Conventions {
		if !filepath.IsLocal(name) || secretFile(name) {
			continue
		}
		root, err := os.OpenRoot(p.root)
		if err != nil {
			return nil
		}
		data, err := regular.ReadIn(root, name, regular.MaxSize)
		_ = root.Close()
		if err != nil || len(data) == 0 {
			continue
		}
		out = append(out, prompt.File{Path: name,
			Content: p.redact(string(data[:min(len(data), maxConvention)])), Part: "full"})
	}
	return out
}

// isIgnored reports whether git ignores a file, as far as that can be known.
func isIgnored(ctx context.Context, ignored ignores, path string) bool {
	found, err := ignored(ctx, []string{path})
	return err != nil || len(found) > 0
}

// ignores returns those of the paths that git ignores.
type ignores func(ctx context.Context, paths []string) ([]string, error)

// unseen reports whether a model must not see a file: secrets, and what git
// ignores, unless context.include names it.
func unseen(c config.Config, ignored ignores) func(context.Context, string) bool {
	include := globs.New(c.Context.Include...)
	return func(ctx context.Context, path string) bool {
		return secretFile(path) || !include.Match(path) && isIgnored(ctx, ignored, path)
	}
}

// secretNames are files that are never shown, whatever they hold; secretEnds are
// the ends of the names of such files.
var (
	secretNames = strings.Fields(`.env .envrc .netrc .npmrc .pypirc .git-credentials .dockercfg .htpasswd .pgpass
		id_rsa id_dsa id_ecdsa id_ed25519 credentials credentials.json kubeconfig terraform.tfvars
		service-account.json service_account.json serviceaccount.json auth.json .terraformrc`)
	secretEnds = strings.Fields(`.pem .key .p12 .pfx .jks .keystore .kdbx .asc .gpg .ppk .tfstate .tfstate.backup
		.auto.tfvars .kubeconfig`)
)

// secretFile reports whether a file is never shown, by its name.
func secretFile(path string) bool {
	base := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	if slices.Contains(secretNames, base) ||
		slices.ContainsFunc(secretEnds, func(end string) bool { return strings.HasSuffix(base, end) }) {
		return true
	}
	for _, end := range []string{".example", ".sample", ".template"} {
		if strings.HasSuffix(base, end) {
			return false
		}
	}
	account := strings.HasPrefix(base, "service-account") || strings.HasPrefix(base, "service_account")
	return strings.HasPrefix(base, ".env.") || strings.HasPrefix(base, "secrets.") ||
		account && strings.HasSuffix(base, ".json")
}
