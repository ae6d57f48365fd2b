package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"golang.org/x/text/unicode/norm"
)

// Task is what a run works on, with its whole text.
type Task struct {
	event.Task
	Text string
}

// Marker is the hidden line that identifies the task's pull request: the number, or a
// digest of the words. refine has none: its pull request is that of the branch.
func (t Task) Marker() string {
	switch t.Kind {
	case "issue":
		return report.Marker("issue", strconv.Itoa(t.Number))
	case "pull_request":
		return report.Marker("pr", strconv.Itoa(t.Number))
	case "refine":
		return report.Marker("task", "refine")
	case "spec":
		return report.Marker("spec", t.Spec)
	}
	digest := sha256.Sum256([]byte(t.Text))
	return report.Marker("task", hex.EncodeToString(digest[:8]))
}

// Name is the task's name for people.
func (t Task) Name() string {
	if t.Kind == "spec" {
		return "spec " + t.Spec
	}
	if t.Kind == "pull_request" {
		return fmt.Sprintf("pull request #%d", t.Number)
	}
	if t.Kind == "issue" {
		return fmt.Sprintf("issue #%d", t.Number)
	}
	return "this task"
}

// Title returns the first line of a text, at most 72 characters.
func Title(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(strings.TrimLeft(line, "# "))
	if r := []rune(line); len(r) > 72 {
		return strings.TrimSpace(string(r[:71])) + "…"
	}
	return line
}

// maxSlug bounds the readable part of a branch's name.
const maxSlug = 40

// Slug returns a title as lower-case ASCII words, as many as fit into a branch's name.
func Slug(title string) string {
	// Letters with marks count as those without: ü becomes u and its mark.
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(title))
	words := strings.FieldsFunc(strings.ToLower(plain), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	name := ""
	for _, w := range words {
		if name == "" {
			name = w[:min(len(w), maxSlug)]
			continue
		}
		if len(name)+1+len(w) > maxSlug {
			break
		}
		name += "-" + w
	}
	if name == "" {
		return "task"
	}
	return name
}

// RefineTask is the task of a refine.
func RefineTask() Task {
	return Task{Task: event.Task{Kind: "refine", Title: "make the failing checks pass"}}
}
