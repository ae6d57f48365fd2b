package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/journal/record"
)

// Past is what a pull request's text remembers of the runs behind it, in a short hidden
// line: the next run may be on another machine, with no records.
type Past struct {
	// Title is the digest of the title that booty wrote: another one is a person's.
	Title string
	// Prose are the words for the change, as the text shows them.
	Prose string
	// Green says that the checks passed, Commit is what they ran on.
	Green  bool
	Commit string
	// Judge says that a person must judge the last commit, Look that one must look at
	// the change before it is merged.
	Judge, Look bool
	Runs        []PastRun
}

// PastRun is one of these runs.
type PastRun struct {
	ID                        string
	Attempts                  int
	InputTokens, OutputTokens int
	CostUSD                   float64
	Estimated                 bool
}

// TitleDigest is how a title is remembered.
func TitleDigest(title string) string {
	sum := sha256.Sum256([]byte(title))
	return hex.EncodeToString(sum[:6])
}

// RunOf makes a run short, for the memory of a pull request.
func RunOf(r record.Run, attempts []record.Attempt) PastRun {
	return PastRun{ID: r.ID, Attempts: CountOf(attempts), InputTokens: r.InputTokens, OutputTokens: r.OutputTokens,
		CostUSD: r.CostUSD, Estimated: r.Estimated}
}

// Attempts counts those of all runs that were checked.
func (p Past) Attempts() int {
	n := 0
	for _, r := range p.Runs {
		n += r.Attempts
	}
	return n
}

// CountOf counts the attempts that were checked.
func CountOf(attempts []record.Attempt) int {
	n := 0
	for _, a := range attempts {
		if record.Checked(a.Outcome) {
			n++
		}
	}
	return n
}

// Without gives the past without a run, which tells its own part anew.
func (p Past) Without(run string) Past {
	p.Runs = slices.DeleteFunc(slices.Clone(p.Runs), func(r PastRun) bool { return r.ID == run })
	return p
}

// maxPast bounds how many runs are remembered one by one; older ones are summed up.
const maxPast = 10

// Marker hides the past in a text.
func (p Past) Marker() string {
	words := []string{"title=" + p.Title, "commit=" + p.Commit}
	for word, set := range map[string]bool{"green": p.Green, "judge": p.Judge, "look": p.Look} {
		if set {
			words = append(words, word)
		}
	}
	slices.Sort(words[2:])
	runs := slices.Clone(p.Runs)
	for len(runs) > maxPast {
		runs[1].add(runs[0])
		runs = runs[1:]
	}
	var list []string
	for _, r := range runs {
		sure := ""
		if r.Estimated {
			sure = "e"
		}
		list = append(list, fmt.Sprintf("%s/%d/%d/%d/%.4f%s", r.ID, r.Attempts, r.InputTokens, r.OutputTokens,
			r.CostUSD, sure))
	}
	return Marker("past", strings.Join(append(words, "runs="+strings.Join(list, ":")), " "))
}

func (r *PastRun) add(other PastRun) {
	r.Attempts += other.Attempts
	r.InputTokens += other.InputTokens
	r.OutputTokens += other.OutputTokens
	r.CostUSD += other.CostUSD
	r.Estimated = r.Estimated || other.Estimated
}

var (
	pastMark = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<!-- booty:past title=([0-9a-f]*) commit=([0-9a-f]*)((?: green| judge| look)*) runs=(\S*) -->`)
	})
	pastRun = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([A-Za-z0-9_-]{1,40})/(\d{1,4})/(\d{1,12})/(\d{1,12})/(\d{1,8}\.\d{1,6})(e?)$`)
	})
)

// PastOf reads what booty's own part of a text remembers, nil where it remembers nothing.
func PastOf(body string) *Past {
	body = Own(body)
	m := pastMark().FindStringSubmatch(body)
	if m == nil {
		return nil
	}
	p := Past{Title: m[1], Commit: m[2], Green: strings.Contains(m[3], "green"), Judge: strings.Contains(m[3], "judge"),
		Look: strings.Contains(m[3], "look"), Prose: inside(body, wordsBegin, wordsEnd)}
	for s := range strings.SplitSeq(m[4], ":") {
		r := pastRun().FindStringSubmatch(s)
		if r == nil {
			continue
		}
		run := PastRun{ID: r[1], Estimated: r[6] != ""}
		run.Attempts, _ = strconv.Atoi(r[2])
		run.InputTokens, _ = strconv.Atoi(r[3])
		run.OutputTokens, _ = strconv.Atoi(r[4])
		run.CostUSD, _ = strconv.ParseFloat(r[5], 64)
		p.Runs = append(p.Runs, run)
	}
	return &p
}

// The lines between which the model's words stand.
const (
	wordsBegin = "<!-- booty:words -->"
	wordsEnd   = "<!-- booty:words-end -->"
)

func inside(s, begin, end string) string {
	_, rest, ok := strings.Cut(s, begin)
	if !ok {
		return ""
	}
	inner, _, ok := strings.Cut(rest, end)
	if !ok {
		return ""
	}
	return strings.TrimSpace(inner)
}
