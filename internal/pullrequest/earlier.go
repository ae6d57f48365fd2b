package pullrequest

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
)

// earlier is what is known about earlier work on a task.
type earlier struct {
	// pull is the pull request that is continued; nil if there is none. theirs is set if it was not
	// opened by booty: then its text and state are left alone.
	pull   *github.PullRequest
	theirs bool
	// attempts counts those of earlier runs, past is what the pull request or the records say of
	// them.
	attempts int
	past     report.Past
	// wrote is the digest of booty's last title: any other title is a person's.
	wrote string
	// summary is the one-line summary of earlier green work.
	summary string
}

// earlierOn is what the text of one of booty's pull requests says; nothing for nil.
func earlierOn(pull *github.PullRequest) earlier {
	if pull == nil {
		return earlier{}
	}
	e := earlier{pull: pull, attempts: attemptsIn(pull.Body)}
	if past := report.PastOf(pull.Body); past != nil {
		e.attempts, e.past, e.wrote = past.Attempts(), *past, past.Title
	}
	return e
}

// startedOver forgets the work, and keeps the pull request.
func (e earlier) startedOver() earlier {
	e.attempts, e.past = 0, report.Past{}
	return e
}

// with adds a recorded run. The newest one says whether the work is green, and in which words.
func (e earlier) with(r journal.Run, attempts []journal.Attempt) earlier {
	e.past.Runs = append(e.past.Runs, report.RunOf(r, attempts))
	if e.past.Green = r.Outcome == event.Green; e.past.Green {
		if kept := mainOf(attempts); kept != nil {
			e.past.Prose, e.summary = report.Prose(kept.Prose), kept.Summary
		}
	}
	return e
}

// addTo adds earlier work to the text of a pull request after a run: its runs, and its words if the
// run only kept it up to date.
func (e earlier) addTo(text report.PullRequest) report.PullRequest {
	text.Past = e.past.Without(text.Run)
	before := text.Past.Attempts()
	if e.attempts > before {
		text.Notes = append(text.Notes,
			fmt.Sprintf("Attempts of earlier runs that this one went on from: %d.", e.attempts))
	}
	all := max(before, e.attempts) + report.CountOf(text.Attempts)
	text.Markers = append(text.Markers, report.Marker("attempts", strconv.Itoa(all)))
	if !e.past.Green && len(text.Attempts) > 0 {
		return text
	}
	text.Prose = e.past.Prose
	text.Summary = cmp.Or(e.summary, text.Summary)
	if e.pull != nil && report.TitleDigest(e.pull.Title) == e.past.Title {
		text.Summary = e.pull.Title
	}
	return text
}

var attemptsMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<!-- booty:attempts (\d{1,4}) -->`)
})

// attemptsIn reads the number of attempts in a text of booty's.
func attemptsIn(body string) int {
	m := attemptsMark().FindStringSubmatch(body)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// mainOf finds the attempt whose summary describes the work: the green one, else the last
// that was not rolled back; nil if none changed anything.
func mainOf(attempts []journal.Attempt) *journal.Attempt {
	var main *journal.Attempt
	for i := range attempts {
		a := &attempts[i]
		if a.Summary == "" || len(a.Files) == 0 || a.Outcome == event.RolledBack {
			continue
		}
		if main == nil || main.Outcome != event.Green || a.Outcome == event.Green {
			main = a
		}
	}
	return main
}
