package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/look"
	"github.com/booty-cli/booty/pkg/edit"
)

// maxLooks is how many replies of an attempt may ask to see more instead of
// answering with edits.
const maxLooks = 3

// KindLook is the kind of the problem that a reply asks to see more and gets nothing.
const KindLook = "look"

// errQuestion marks the end of a run whose model needs the word of a person.
var errQuestion = errors.New("the model asks")

// Person answers questions of the model.
type Person interface {
	// Answer returns what the person says; "" if nothing.
	Answer(ctx context.Context, question string) (string, error)
}

// Answered is a question of the model and the person's answer.
type Answered struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// looking is what the attempt under way has asked to see.
type looking struct {
	rounds int
	wishes []look.Request
	// unemitted is how many of them, counted from the end, have answers that were not emitted yet.
	unemitted int
}

// looksLeft is how many more replies of the attempt may look round.
func (r *run) looksLeft() int {
	if !r.o.Looking {
		return 0
	}
	return maxLooks - r.asking.looked.rounds
}

// wishesIn returns what a reply asks to see. In a reply with edits such lines are prose.
func (r *run) wishesIn(reply Reply) []look.Request {
	if !r.o.Looking || reply.Changes != nil {
		return nil
	}
	wishes := look.In(reply.Text)
	if len(wishes) == 0 || len(edit.Parse(nil, reply.Text).Edits) > 0 {
		return nil
	}
	return wishes
}

// look has b ask again with what a reply wants to see. Where it wants nothing
// that it may have, p has the reason, and again is false.
func (r *run) look(ctx context.Context, b *Brief, p *Proposal) (again bool, err error) {
	if len(p.Wishes) == 0 {
		return false, nil
	}
	if r.looksLeft() == 0 {
		p.rejectLookup(fmt.Sprintf("You have looked round %d times, which is all there is. Answer with edits, from what you see.",
			maxLooks))
		return false, nil
	}
	isQuestion := func(w look.Request) bool { return w.Kind == look.Ask }
	fresh := slices.ContainsFunc(p.Wishes,
		func(w look.Request) bool { return !isQuestion(w) && !r.inView(w, p.View) })
	if i := slices.IndexFunc(p.Wishes, isQuestion); !fresh && i >= 0 {
		return true, r.question(ctx, b, p.Wishes[i].What)
	}
	if !fresh {
		p.rejectLookup("All that you asked to see is in view already, or was answered. Answer with edits.")
		return false, nil
	}
	r.asking.looked.rounds++
	r.asking.looked.unemitted = 0 // what a run that is taken up again has told before
	for _, w := range p.Wishes {  // a question beside others waits for what they show
		if !slices.Contains(r.asking.looked.wishes, w) {
			r.asking.looked.wishes = append(r.asking.looked.wishes, w)
			r.asking.looked.unemitted++
		}
	}
	b.Wishes, b.Looks, b.View = r.asking.looked.wishes, r.looksLeft(), p.View
	return true, nil
}

// rejectLookup makes p a proposal whose request to see more was refused.
func (p *Proposal) rejectLookup(why string) {
	p.Problems = []event.Problem{{Kind: KindLook, Reason: why}}
}

// inView says that a request has shown already what is wished for, or that it
// was answered.
func (r *run) inView(w look.Request, shown []event.ContextFile) bool {
	if slices.Contains(r.asking.looked.wishes, w) {
		return true
	}
	return w.Kind == look.Show && slices.ContainsFunc(shown, func(f event.ContextFile) bool {
		return f.Path == w.What && f.Holds(w.From, w.To)
	})
}

// question puts a question to the person at the terminal. Without one, or
// without an answer, the run ends.
func (r *run) question(ctx context.Context, b *Brief, q string) error {
	r.asking.looked.rounds++
	r.asking.looked.unemitted, b.Looks = 0, r.looksLeft()
	if err := r.put(ctx, q); err != nil {
		return err
	}
	told := event.Ask{Kind: "ask", What: q, Answer: look.Answered}
	if r.m.Question != "" {
		told.Answer = look.Asked
	}
	r.emit(event.ContextRequested{Attempt: b.Attempt, Round: r.asking.looked.rounds, Asks: []event.Ask{told}})
	if err := r.save(ctx); err != nil {
		return err
	}
	b.Answers = r.m.Answers
	return r.unanswered()
}

// put asks the person, where that was not done before; a question that stays
// open is the memory's.
func (r *run) put(ctx context.Context, q string) (err error) {
	answer := r.m.answerTo(q)
	if answer == "" && r.Person != nil {
		if answer, err = r.Person.Answer(ctx, q); err != nil {
			return err
		}
		if answer != "" {
			r.m.Answers = append(r.m.Answers, Answered{q, answer})
		}
	}
	if r.m.Question = q; answer != "" {
		r.m.Question = ""
	}
	return nil
}

// stillAsked puts a question again that ended the run after an attempt.
func (r *run) stillAsked(ctx context.Context) error {
	if r.m.Question == "" || len(r.m.Replies) > 0 { // the reply that asks comes again
		return nil
	}
	if err := r.put(ctx, r.m.Question); err != nil {
		return err
	}
	return r.unanswered()
}

// unanswered ends a run with an open question.
func (r *run) unanswered() error {
	q := r.m.Question
	if q == "" {
		return nil
	}
	return fault.New(fault.Exhausted, `answer with: booty resume --hint "..."`, "%w: %s",
		errQuestion, inOneLine(q, maxQuestion))
}

// maxQuestion bounds a question in the message that ends a run, in characters.
const maxQuestion = 600

// answerTo returns a person's answer to a question; "" if there is none.
func (m *Memory) answerTo(q string) string {
	for _, a := range m.Answers {
		if a.Question == q {
			return a.Answer
		}
	}
	return ""
}

// TakeAnswer takes a hint as the answer to the question that ended the run, if one did.
func (m *Memory) TakeAnswer(word string) {
	if m.Question != "" && word != "" {
		m.Answers = append(m.Answers, Answered{m.Question, word})
		m.Question = ""
	}
}

// tellLooked emits the answers to the last wishes, once.
func (r *run) tellLooked(b Brief, answers []event.Ask) {
	if r.asking.looked.unemitted == 0 || len(answers) < len(b.Wishes) {
		return
	}
	from := len(b.Wishes) - r.asking.looked.unemitted
	r.asking.looked.unemitted = 0
	r.emit(event.ContextRequested{Attempt: b.Attempt, Round: r.asking.looked.rounds,
		Asks: answers[from:len(b.Wishes)]})
}

// AskOf is a request to see more, with its answer, as events have it.
func AskOf(w look.Request, answer string) event.Ask {
	kind, what, _ := strings.Cut(w.String(), " ")
	return event.Ask{Kind: strings.ToLower(kind), What: what, Answer: answer}
}

// lookedAt names the files that an attempt asked to see: the next one may need
// them again.
func (r *run) lookedAt() []string {
	var out []string
	for _, w := range r.asking.looked.wishes {
		if w.Kind == look.Show && !slices.Contains(out, w.What) {
			out = append(out, w.What)
		}
	}
	return out
}
