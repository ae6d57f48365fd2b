package testkit

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// talk gives the issue side of a pull request, which holds its comments.
func (g *GitHub) talk(p *GitHubPull) *GitHubIssue {
	if i := g.findIssue(p.Number); i != nil {
		return i
	}
	i := &GitHubIssue{Number: p.Number, Title: p.Title, State: p.State, Author: p.Author, PullRequest: true}
	g.state.Issues = append(g.state.Issues, i)
	return i
}

// labelsOf gives the labels of an issue or pull request.
func labelsOf(i *GitHubIssue, p *GitHubPull) *[]string {
	if p != nil {
		return &p.Labels
	}
	return &i.Labels
}

func (g *GitHub) addLabels(i *GitHubIssue, p *GitHubPull, names []string) {
	have := labelsOf(i, p)
	for _, l := range names {
		if !has(g.state.Labels, l) {
			g.unexpected = append(g.unexpected, "the label "+l+" was not made first")
		}
		if !has(*have, l) {
			*have = append(*have, l)
		}
	}
}

func (g *GitHub) removeLabel(w http.ResponseWriter, i *GitHubIssue, p *GitHubPull, name string) {
	have := labelsOf(i, p)
	if !has(*have, name) {
		answerJSON(w, http.StatusNotFound, message("Label does not exist"))
		return
	}
	*have = slices.DeleteFunc(*have, func(l string) bool { return strings.EqualFold(l, name) })
	answerJSON(w, http.StatusOK, []any{})
}

// listIssues answers GET /issues: issues and pull requests, the oldest first
// where that is asked for.
func (g *GitHub) listIssues(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	wanted := strings.FieldsFunc(q.Get("labels"), func(r rune) bool { return r == ',' })
	state := q.Get("state")
	if state == "" {
		state = "open"
	}
	all := []map[string]any{}
	for _, i := range g.state.Issues {
		if i.PullRequest || state != "all" && i.State != state {
			continue
		}
		if !slices.ContainsFunc(wanted, func(l string) bool { return !has(i.Labels, l) }) {
			all = append(all, g.issueJSON(i, nil))
		}
	}
	if q.Get("direction") != "asc" {
		slices.Reverse(all)
	}
	page(g, w, r, all)
}

func (g *GitHub) openIssue(w http.ResponseWriter, in map[string]any) {
	n := 500
	for _, i := range g.state.Issues {
		n = max(n, i.Number)
	}
	i := &GitHubIssue{Number: n + 1, Title: text(in, "title"), Body: text(in, "body"), State: "open",
		Author: g.state.Login}
	g.state.Issues = append(g.state.Issues, i)
	g.addLabels(i, nil, texts(in, "labels"))
	answerJSON(w, http.StatusCreated, g.issueJSON(i, nil))
}

// allComments answers GET /issues/comments, which are those of the whole repository.
func (g *GitHub) allComments(w http.ResponseWriter, r *http.Request) {
	since, err := time.Parse(time.RFC3339, r.URL.Query().Get("since"))
	if err != nil {
		g.unexpected = append(g.unexpected, "comments since no time")
	}
	all := []map[string]any{}
	for _, i := range g.state.Issues {
		for _, c := range i.Comments {
			if c.At.IsZero() || c.At.After(since) {
				json := g.commentJSON(c)
				json["issue_url"] = fmt.Sprintf("%s/repos/%s/%s/issues/%d", g.URL, g.state.Owner,
					g.state.Name, i.Number)
				all = append(all, json)
			}
		}
	}
	page(g, w, r, all)
}

// deleteBranch answers DELETE /git/refs/heads/NAME.
func (g *GitHub) deleteBranch(w http.ResponseWriter, name string) {
	if g.tip("", name) == "" {
		answerJSON(w, http.StatusUnprocessableEntity, message("Reference does not exist"))
		return
	}
	g.gitHere("update-ref", "-d", "refs/heads/"+name)
	for _, p := range g.state.Pulls {
		if p.Head == name && p.State == "open" {
			p.State, p.Log = "closed", append(p.Log, "closed: its branch is gone")
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

// gitHere runs git in the bare repository.
func (g *GitHub) gitHere(args ...string) string {
	cmd := exec.Command("git", append([]string{"--git-dir", g.state.Dir}, args...)...) //nolint:noctx // a local repository
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=GitHub", "GIT_AUTHOR_EMAIL=noreply@github.com",
		"GIT_COMMITTER_NAME=GitHub", "GIT_COMMITTER_EMAIL=noreply@github.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.unexpected = append(g.unexpected, "git "+strings.Join(args, " ")+": "+string(out))
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Merge squashes and merges a pull request, as a person or GitHub itself does.
func (g *GitHub) Merge(n int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.findPull(n)
	if p == nil || p.State != "open" {
		return fmt.Errorf("pull request %d is not open", n)
	}
	if !g.squash(p) {
		return fmt.Errorf("pull request %d is in conflict with its base", n)
	}
	return nil
}

// squash brings the work of a pull request into its base as one commit, false
// where the two are in conflict.
func (g *GitHub) squash(p *GitHubPull) bool {
	base, head := g.tip("", p.Base), g.tip(p.HeadOwner, p.Head)
	tree, err := exec.Command("git", "--git-dir", g.state.Dir, "merge-tree", "--write-tree", base, head).Output() //nolint:noctx // local
	if err != nil {
		return false
	}
	commit := g.gitHere("commit-tree", strings.TrimSpace(string(tree)), "-p", base, "-m",
		fmt.Sprintf("%s (#%d)", p.Title, p.Number))
	g.gitHere("update-ref", "refs/heads/"+p.Base, commit)
	p.Merged, p.State, p.AutoMerge, p.MergedAt = true, "closed", false, time.Now()
	p.Log = append(p.Log, "merged")
	return true
}

// settleMerges merges what GitHub was asked to merge by itself, where its checks
// are done at once.
func (g *GitHub) settleMerges() {
	for _, p := range g.state.Pulls {
		if g.state.ChecksPass && p.AutoMerge && p.State == "open" {
			g.squash(p)
		}
	}
}

// newest answers the operation Newest.
func (g *GitHub) newest(vars map[string]any) map[string]any {
	out := map[string]any{}
	var wanted []string
	for k, v := range vars {
		s, _ := v.(string)
		switch {
		case k == "labels":
			wanted = texts(vars, "labels")
		case strings.HasPrefix(k, "h"):
			out["b"+k[1:]] = g.nodes(func(p *GitHubPull) bool { return p.State != "open" && p.Head == s })
		}
	}
	out["merged"] = g.nodes(func(p *GitHubPull) bool {
		return p.Merged && slices.ContainsFunc(wanted, func(l string) bool { return has(p.Labels, l) })
	})
	return out
}

func (g *GitHub) nodes(ok func(*GitHubPull) bool) map[string]any {
	nodes := []map[string]any{}
	for _, p := range slices.Backward(g.state.Pulls) {
		if !ok(p) {
			continue
		}
		state := strings.ToUpper(p.State)
		var merged *time.Time
		if p.Merged {
			state, merged = "MERGED", &p.MergedAt
		}
		labels := []map[string]any{}
		for _, l := range p.Labels {
			labels = append(labels, map[string]any{"name": l})
		}
		nodes = append(nodes, map[string]any{
			"id": fmt.Sprintf("PR_%d", p.Number), "number": p.Number, "title": p.Title, "body": p.Body, "state": state, "isDraft": p.Draft, "mergedAt": merged,
			"url":         fmt.Sprintf("https://github.com/%s/%s/pull/%d", g.state.Owner, g.state.Name, p.Number),
			"headRefName": p.Head, "headRefOid": g.tip(p.HeadOwner, p.Head), "baseRefName": p.Base,
			"headRepository": map[string]any{"nameWithOwner": p.HeadOwner + "/" + g.state.Name},
			"labels":         map[string]any{"nodes": labels},
		})
	}
	return map[string]any{"nodes": nodes}
}
