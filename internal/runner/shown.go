package runner

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/prompt"
	"github.com/booty-cli/booty/internal/retrieval"
	"github.com/booty-cli/booty/internal/tokens"
)

// shown is what the requests of a run have shown so far. A request repeats it byte for byte
// and adds to its end, so that the caches of providers serve the beginning.
type shown struct {
	view   retrieval.View
	files  []prompt.File  // of the first request
	rounds []prompt.Round // what each one after it added
	// chosen is what the last files were chosen for; leftOut those that were likely, too,
	// and picked the parts of changed files among them.
	chosen  choice
	leftOut []event.ContextFile
	picked  []retrieval.Shown
	// answers are those to what the attempt under way has asked to see.
	attempt int
	answers []retrieval.Answer
	// tokens is the size of the last request.
	tokens int
}

// choice says what files were chosen for.
type choice struct {
	attempt int
	role    engine.Role
	wide    bool
}

// nearlyFull is the part of context.max_tokens, in percent, from which on an attempt begins
// with a view of its own.
const nearlyFull = 75

// repairTokens is the most that the files take that a request to correct a change adds.
const repairTokens = 6000

// show puts files into a request: those of the requests before it, what is chosen for this
// one besides, what the model asked to see, and what has changed.
func (p *prompts) show(ctx context.Context, in *prompt.Input, b engine.Brief, index *retrieval.Index,
	ratio float64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &p.shown
	if b.Attempt != s.attempt {
		if s.tokens*100 > p.cfg.Context.MaxTokens*nearlyFull {
			*s = shown{}
		}
		s.attempt, s.answers = b.Attempt, nil
	}
	if err := p.chooseFiles(ctx, b, index, ratio); err != nil {
		return err
	}
	if err := p.answerLooks(ctx, b, index, ratio); err != nil {
		return err
	}
	now, gone, err := index.Changed(ctx, &s.view, s.picked)
	if err != nil {
		return err
	}
	in.Files, in.Rounds, in.Now, in.Gone = s.files, s.rounds, p.toShow(now), gone
	return nil
}

// chooseFiles adds the files that an attempt needs, and those in which an edit was refused.
func (p *prompts) chooseFiles(ctx context.Context, b engine.Brief, index *retrieval.Index,
	ratio float64) error {
	s := &p.shown
	var wanted []retrieval.Shown
	now := choice{b.Attempt, b.Role, b.Wide}
	switch {
	case s.files == nil && len(b.View) > 0: // of a run that is taken up again
		wanted = viewOf(b.View)
	case len(b.View) == 0 && now != s.chosen && s.repairs(b):
		need := p.need(b, ratio)
		need.Pieces = int(repairTokens * ratio)
		files, err := index.Repair(ctx, need, &s.view)
		if err != nil {
			return err
		}
		wanted = toSee(files)
		s.leftOut, s.picked = nil, wanted
	case len(b.View) == 0 && now != s.chosen:
		chosen, err := index.Weigh(ctx, p.need(b, ratio))
		if err != nil {
			return err
		}
		wanted, s.leftOut = toSee(chosen.Files), nil
		for _, f := range chosen.LeftOut {
			size := int(float64(f.Size) / tokens.Usual / ratio)
			s.leftOut = append(s.leftOut,
				event.ContextFile{Path: f.Path, Tokens: size, Part: f.Part, Why: f.Why})
		}
		s.picked = wanted
	}
	s.chosen = now
	for _, x := range b.Problems { // an edit of what is not in view was refused
		known := slices.ContainsFunc(wanted, func(w retrieval.Shown) bool { return w.Path == x.Path })
		if x.Path != "" && !known && !s.view.Shows(x.Path) {
			wanted = append(wanted, retrieval.Shown{Path: x.Path, Why: "its edit was refused"})
		}
	}
	added, err := index.Add(ctx, &s.view, wanted)
	if err != nil || len(added) == 0 {
		return err
	}
	if s.files == nil {
		s.files = p.toShow(added)
	} else {
		s.rounds = append(s.rounds, prompt.Round{Files: p.toShow(added)})
	}
	return nil
}

// repairs reports whether a request is to correct the change of the attempt before it, by what
// failed, in a run that has shown files for its task.
func (s *shown) repairs(b engine.Brief) bool {
	return s.files != nil && b.Failure != nil && !b.Before && !b.Wide &&
		(b.Role == engine.FixTests || b.Role == engine.FixQuality)
}

// toSee names the files, or the lines of them, that were chosen.
func toSee(files []retrieval.File) (out []retrieval.Shown) {
	for _, f := range files {
		out = append(out, retrieval.Shown{Path: f.Path, Lines: f.Lines, Why: f.Why})
	}
	return out
}

// answerLooks adds what the model has asked to see and was not shown yet.
func (p *prompts) answerLooks(ctx context.Context, b engine.Brief, index *retrieval.Index,
	ratio float64) error {
	s := &p.shown
	if len(b.Wishes) <= len(s.answers) {
		return nil
	}
	room := int(float64(max(p.cfg.Context.MaxTokens-s.tokens, 0)) * ratio * tokens.Dense)
	answers, parts, err := index.Look(ctx, b.Wishes[len(s.answers):], room)
	if err != nil {
		return err
	}
	added, err := index.AddParts(ctx, &s.view, parts)
	if err != nil {
		return err
	}
	round := prompt.Round{Files: p.toShow(added)}
	for _, a := range answers {
		round.Looks = append(round.Looks,
			prompt.Look{Request: a.Request.String(), Result: answerWords(a), Found: p.redact(a.Found)})
	}
	s.rounds, s.answers = append(s.rounds, round), append(s.answers, answers...)
	return nil
}

func (p *prompts) toShow(files []retrieval.File) []prompt.File {
	out := make([]prompt.File, 0, len(files))
	for _, f := range files {
		out = append(out, prompt.File{Path: f.Path, Content: p.redact(f.Content), Part: f.Part,
			Lines: f.Lines, Why: f.Why})
	}
	return out
}

// leftOut lists the files that were to be shown, and for which a request had no room.
func leftOut(in prompt.Input, out prompt.Prompt, ratio float64) (list []event.ContextFile) {
	files := slices.Concat(in.Files, in.Now)
	for _, r := range in.Rounds {
		files = append(files, r.Files...)
	}
	for _, f := range files {
		if !slices.ContainsFunc(out.Files, func(u prompt.Use) bool { return u.Path == f.Path }) {
			list = append(list, event.ContextFile{Path: f.Path, Tokens: int(float64(tokens.Pieces(f.Content)) / ratio),
				Part: "none", Why: f.Why + "; the request would be too long"})
		}
	}
	return list
}

// viewOf is what a request showed of files.
func viewOf(files []event.ContextFile) []retrieval.Shown {
	var out []retrieval.Shown
	for _, f := range files {
		if f.Part != "tree" {
			out = append(out, retrieval.Shown{Path: f.Path, Lines: f.Lines, Why: f.Why})
		}
	}
	return out
}
