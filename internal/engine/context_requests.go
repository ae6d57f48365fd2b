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

// looking is what an attempt asks to see.
type looking struct {
	allowed bool
	rounds  int
	wishes  []look.Request
	// unemitted is how many of them, counted from the end, have answers that were not emitted yet.
	unemitted int
}

// left is how many more replies of the attempt may look round.
func (l *looking) left() int {
	if !l.allowed {
		return 0
	}
	return maxLooks - l.rounds
}

// wishesIn returns what a reply asks to see. In a reply with edits such lines are prose.
func (l *looking) wishesIn(reply Reply) []look.Request {
	if !l.allowed || reply.Changes != nil {
		return nil
	}
	wishes := look.In(reply.Text)
	if len(wishes) == 0 || len(edit.Parse(nil, reply.Text).Edits) > 0 {
		return nil
	}
	return wishes
}

// has says that a request has shown already what is wished for, or that it
// was answered.
func (l *looking) has(w look.Request, shown []event.ContextFile) bool {
	if slices.Contains(l.wishes, w) {
		return true
	}
	return w.Kind == look.Show && slices.ContainsFunc(shown, func(f event.ContextFile) bool {
		return f.Path == w.What && f.Holds(w.From, w.To)
	})
}

// add begins a round.
func (l *looking) add(wishes []look.Request) {
	l.rounds++
	l.unemitted = 0            // what a run that is taken up again has told before
	for _, w := range wishes { // a question beside others waits for what they show
		if !slices.Contains(l.wishes, w) {
			l.wishes = append(l.wishes, w)
			l.unemitted++
		}
	}
}

// files names the files that were asked for: the next attempt may need them again.
func (l *looking) files() []string {
	var out []string
	for _, w := range l.wishes {
		if w.Kind == look.Show && !slices.Contains(out, w.What) {
			out = append(out, w.What)
		}
	}
	return out
}

// look has b ask again with what a reply wants to see. Where it wants nothing
// that it may have, p has the reason, and again is false.
func (x *exchange) look(ctx context.Context, b *Brief, p *Proposal) (again bool, err error) {
	if len(p.Wishes) == 0 {
		return false, nil
	}
	if x.looked.left() == 0 {
		p.rejectLookup(fmt.Sprintf(
			"You have looked round %d times, which is all there is. Answer with edits, from what you see.", maxLooks))
		return false, nil
	}
	isQuestion := func(w look.Request) bool { return w.Kind == look.Ask }
	fresh := slices.ContainsFunc(p.Wishes,
		func(w look.Request) bool { return !isQuestion(w) && !x.looked.has(w, p.View) })
	if i := slices.IndexFunc(p.Wishes, isQuestion); !fresh && i >= 0 {
		return true, x.question(ctx, b, p.Wishes[i].What)
	}
	if !fresh {
		p.rejectLookup("All that you asked to see is in view already, or was answered. Answer with edits.")
		return false, nil
	}
	x.looked.add(p.Wishes)
	b.Wishes, b.Looks, b.View = x.looked.wishes, x.looked.left(), p.View
	return true, nil
}

// rejectLookup makes p a proposal whose request to see more was refused.
func (p *Proposal) rejectLookup(why string) {
	p.Problems = []event.Problem{{Kind: KindLook, Reason: why}}
}

// tellLooked emits the answers to the last wishes, once.
func (x *exchange) tellLooked(b Brief, answers []event.Ask) {
	if x.looked.unemitted == 0 || len(answers) < len(b.Wishes) {
		return
	}
	from := len(b.Wishes) - x.looked.unemitted
	x.looked.unemitted = 0
	x.emit(event.ContextRequested{Attempt: b.Attempt, Round: x.looked.rounds,
		Asks: answers[from:len(b.Wishes)]})
}

// question puts a question to the person at the terminal. Without one, or
// without an answer, the run ends.
func (x *exchange) question(ctx context.Context, b *Brief, q string) error {
	x.looked.rounds++
	x.looked.unemitted, b.Looks = 0, x.looked.left()
	if err := x.said.put(ctx, x.person, q); err != nil {
		return err
	}
	told := event.Ask{Kind: "ask", What: q, Answer: look.Answered}
	if x.said.Question != "" {
		told.Answer = look.Asked
	}
	x.emit(event.ContextRequested{Attempt: b.Attempt, Round: x.looked.rounds, Asks: []event.Ask{told}})
	if err := x.calls.save(ctx); err != nil {
		return err
	}
	b.Answers = x.said.Answers
	return x.said.unanswered()
}

// put asks the person, where that was not done before; a question that stays
// open is kept.
func (c *Conversation) put(ctx context.Context, person Person, q string) (err error) {
	answer := c.answerTo(q)
	if answer == "" && person != nil {
		if answer, err = person.Answer(ctx, q); err != nil {
			return err
		}
		if answer != "" {
			c.Answers = append(c.Answers, Answered{q, answer})
		}
	}
	if c.Question = q; answer != "" {
		c.Question = ""
	}
	return nil
}

// putAgain puts a question again that ended the run after an attempt.
func (c *Conversation) putAgain(ctx context.Context, person Person) error {
	if c.Question == "" || len(c.Replies) > 0 { // the reply that asks comes again
		return nil
	}
	if err := c.put(ctx, person, c.Question); err != nil {
		return err
	}
	return c.unanswered()
}

// unanswered ends a run with an open question.
func (c *Conversation) unanswered() error {
	q := c.Question
	if q == "" {
		return nil
	}
	return fault.New(fault.Exhausted, `answer with: booty resume --hint "..."`, "%w: %s",
		errQuestion, inOneLine(q, maxQuestion))
}

// maxQuestion bounds a question in the message that ends a run, in characters.
const maxQuestion = 600

// answerTo returns a person's answer to a question; "" if there is none.
func (c *Conversation) answerTo(q string) string {
	for _, a := range c.Answers {
		if a.Question == q {
			return a.Answer
		}
	}
	return ""
}

// TakeAnswer takes a hint as the answer to the question that ended the run, if one did.
func (c *Conversation) TakeAnswer(word string) {
	if c.Question != "" && word != "" {
		c.Answers = append(c.Answers, Answered{c.Question, word})
		c.Question = ""
	}
}

// AskOf is a request to see more, with its answer, as events have it.
func AskOf(w look.Request, answer string) event.Ask {
	kind, what, _ := strings.Cut(w.String(), " ")
	return event.Ask{Kind: strings.ToLower(kind), What: what, Answer: answer}
}
