package pullrequest

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/runner"
)

// issueTask returns an issue as a task.
func issueTask(i github.Issue, thread github.Conversation, linked []github.Issue) runner.Task {
	return runner.Task{
		Task: event.Task{Kind: "issue", Number: i.Number, Title: runner.Title(visible(i.Title))},
		Text: issueText(i, thread, linked),
	}
}

// maxLinked bounds how many linked issues are read.
const maxLinked = 5

var issueLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s(\[,;:])(?:#|GH-)(\d{1,9})\b|https?://[^\s/]+/([^\s/]+/[^\s/]+)/(?:issues|pull)/(\d{1,9})\b`)
})

// issueReader reads an issue or a pull request by its number.
type issueReader interface {
	Issue(ctx context.Context, n int) (github.Issue, error)
}

// linkedIssues returns the first few issues and pull requests that an issue of a repository
// (owner/name) and its comments refer to: the model cannot look up a number.
func linkedIssues(
	ctx context.Context, r issueReader, repo string, i github.Issue, comments []github.Comment,
) []github.Issue {
	text := i.Body
	for _, c := range comments {
		text += "\n" + c.Body
	}
	seen := map[string]bool{strconv.Itoa(i.Number): true}
	var out []github.Issue
	for _, m := range issueLink().FindAllStringSubmatch(text, -1) {
		number := m[1] + m[3]
		if len(seen) > maxLinked || seen[number] || m[2] != "" && !strings.EqualFold(m[2], repo) {
			continue
		}
		seen[number] = true
		n, _ := strconv.Atoi(number)
		other, err := r.Issue(ctx, n)
		if err != nil {
			continue // not found or not visible: the text has to do
		}
		out = append(out, other)
	}
	return out
}

// maxIssue bounds the text of an issue with its comments, in bytes. The body alone gets at
// most two thirds of it.
const maxIssue = 36000

// issueText returns an issue as text. A long one is cut in the middle: the beginning says
// what is wanted, the end what was decided.
func issueText(i github.Issue, thread github.Conversation, linked []github.Issue) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", visible(i.Title))
	if len(i.Labels) > 0 {
		fmt.Fprintf(&b, "\nLabels: %s\n", strings.Join(i.Labels, ", "))
	}
	body := cutMiddle(visible(i.Body), maxIssue*2/3)
	if body != "" {
		b.WriteString("\n" + body + "\n")
	}
	for j, l := range linked {
		if j == 0 {
			b.WriteString("\nReferred to:\n")
		}
		kind := "issue"
		if l.PullRequest {
			kind = "pull request"
		}
		fmt.Fprintf(&b, "- #%d (%s, %s): %s\n", l.Number, kind, l.State, runner.Title(visible(l.Title)))
	}
	var texts []string
	for _, c := range thread.Comments {
		texts = append(texts, commentText(c))
	}
	for _, t := range keepEnds(texts, thread.Unread, maxIssue-b.Len()) {
		b.WriteString(t)
	}
	return strings.TrimSpace(b.String())
}

func commentText(c github.Comment) string {
	return fmt.Sprintf("\n## Comment by %s, %s\n\n%s\n", c.Author, c.At.UTC().Format("2006-01-02"),
		cutMiddle(visible(c.Body), maxIssue/6))
}

// fillsTask reports whether comments alone fill the text of a task.
func fillsTask(comments []github.Comment) bool {
	n := 0
	for _, c := range comments {
		n += len(commentText(c))
	}
	return n >= maxIssue
}

func tidyText(s string) string {
	return strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD"))
}

// keepEnds keeps texts from both ends, preferring later ones, as long as they fit. Unread is how
// many more there are in the middle.
func keepEnds(texts []string, unread, room int) []string {
	first, last := 0, len(texts)
	for first < last {
		n := len(texts[last-1])
		// three from the end for every two from the beginning
		fromEnd := (len(texts)-last)*2 >= first*3 && first < last-1
		if fromEnd {
			n = len(texts[first])
		}
		if n > room {
			break
		}
		room -= n
		if fromEnd {
			first++
		} else {
			last--
		}
	}
	if first >= last {
		return texts
	}
	out := append([]string{}, texts[:first]...)
	out = append(out, fmt.Sprintf("\n[%d comments left out here]\n", last-first+unread))
	return append(out, texts[last:]...)
}

// cutMiddle keeps the beginning and the end of a long text, by whole lines if these are
// short, and closes code blocks.
func cutMiddle(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	head := strings.ToValidUTF8(s[:limit*2/3], "")
	tail := strings.ToValidUTF8(s[len(s)-limit/3:], "")
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail = tail[i+1:]
	}
	if strings.Count("\n"+head, "\n```")%2 == 1 {
		head += "\n```"
	}
	if strings.Count("\n"+tail, "\n```")%2 == 1 {
		tail = "```\n" + tail
	}
	return head + fmt.Sprintf("\n\n[%d bytes left out here]\n\n", len(s)-len(head)-len(tail)) + tail
}
