package testkit

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// GitHubCheck is a check of a pull request's head commit.
type GitHubCheck struct {
	Name string
	// Conclusion is that of a finished check, "" while it runs.
	Conclusion string
	// Required says that nothing is merged without it.
	Required bool
	// Status makes it a commit status instead of a check run; App is whose run it is.
	Status bool
	App    string
	// Summary is what it says of itself.
	Summary string
	// Workflow, Step and Log are those of a job of GitHub Actions.
	Workflow, Step, Log string
	// Report is an XML file in an artifact of the workflow run.
	Report string
	// Commit is what it ran on, a commit or a branch; "" for whatever the head is.
	Commit string
	id     int64
}

// GitHubThread is a review thread.
type GitHubThread struct {
	Path     string
	Line     int
	Hunk     string
	Resolved bool
	Comments []*GitHubComment
}

// GitHubReview is a person's newest review.
type GitHubReview struct {
	ID                  int64
	Author, State, Body string
}

func nth(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// checks answers GET /commits/SHA/check-runs and /commits/SHA/status.
func (g *GitHub) checks(w http.ResponseWriter, r *http.Request, commit, what string) {
	runs, statuses := []map[string]any{}, []map[string]any{}
	for _, p := range g.state.Pulls {
		for i, c := range p.Checks {
			on := c.Commit
			if tip := g.tip("", on); on != "" && tip != "" { // a branch
				on = tip
			}
			if on != commit && (on != "" || g.tip(p.HeadOwner, p.Head) != commit) {
				continue
			}
			c.Commit, c.id = commit, int64(p.Number*1000+i)
			state, conclusion := "completed", any(c.Conclusion)
			if c.Conclusion == "" {
				state, conclusion = "in_progress", nil
			}
			app := c.App
			if app == "" {
				app = "github-actions"
			}
			if c.Status {
				statuses = append(statuses, map[string]any{"state": c.Conclusion, "context": c.Name,
					"description": c.Summary, "target_url": "https://ci.example"})
				continue
			}
			runs = append(runs, map[string]any{
				"id": c.id, "name": c.Name, "status": state, "conclusion": conclusion, "html_url": "https://github.com/checks",
				"output": map[string]any{"title": nil, "summary": c.Summary, "text": nil}, "app": map[string]any{"slug": app},
			})
		}
	}
	switch what {
	case "check-runs":
		answerJSON(w, http.StatusOK, map[string]any{"total_count": len(runs), "check_runs": runs})
	case "status":
		answerJSON(w, http.StatusOK, map[string]any{"state": "failure", "statuses": statuses})
	default:
		g.surprise(w, r, r.URL.Path)
	}
}

// standing answers the operation Standing.
func (g *GitHub) standing(p *GitHubPull) map[string]any {
	nodes := []map[string]any{}
	for _, c := range p.Checks {
		head := g.tip(p.HeadOwner, p.Head)
		if c.Commit != "" && c.Commit != head {
			continue
		}
		c.Commit = head
		node := map[string]any{"isRequired": c.Required}
		switch {
		case c.Status:
			node["context"], node["state"] = c.Name, strings.ToUpper(c.Conclusion)
		case c.Conclusion == "":
			node["name"], node["status"], node["conclusion"] = c.Name, "IN_PROGRESS", nil
		default:
			node["name"], node["status"], node["conclusion"] = c.Name, "COMPLETED",
				strings.ToUpper(c.Conclusion)
		}
		nodes = append(nodes, node)
	}
	rollup := map[string]any{"contexts": map[string]any{"nodes": nodes}}
	commit := map[string]any{"commit": map[string]any{"statusCheckRollup": rollup}}
	return map[string]any{"isInMergeQueue": p.Queued, "commits": map[string]any{"nodes": []any{commit}}}
}

func (g *GitHub) findCheck(id string) *GitHubCheck {
	for _, p := range g.state.Pulls {
		for _, c := range p.Checks {
			if strconv.FormatInt(c.id, 10) == id {
				return c
			}
		}
	}
	return nil
}

// actions answers below /actions. A workflow run and its artifact have the number of
// their one job.
func (g *GitHub) actions(w http.ResponseWriter, r *http.Request, parts []string) {
	c := g.findCheck(nth(parts, 1))
	if c == nil {
		notFound(w)
		return
	}
	switch nth(parts, 0) + " " + nth(parts, 2) {
	case "jobs ":
		answerJSON(w, http.StatusOK,
			map[string]any{"id": c.id, "run_id": c.id, "workflow_name": c.Workflow, "name": c.Name,
				"steps": []map[string]any{{"name": "Set up job", "conclusion": "success", "number": 1},
					{"name": c.Step, "conclusion": c.Conclusion, "number": 2}}})
	case "jobs logs":
		http.Redirect(w, r, fmt.Sprintf("%s/log/%d", g.files.URL, c.id), http.StatusFound)
	case "runs artifacts":
		list := []map[string]any{}
		if c.Report != "" {
			list = append(list,
				map[string]any{"id": c.id, "name": "report", "size_in_bytes": len(c.Report),
					"expired": false})
		}
		answerJSON(w, http.StatusOK, map[string]any{"total_count": len(list), "artifacts": list})
	case "artifacts zip":
		http.Redirect(w, r, fmt.Sprintf("%s/zip/%d", g.files.URL, c.id), http.StatusFound)
	default:
		g.surprise(w, r, r.URL.Path)
	}
}

// file answers as the host of logs and artifacts, which must not see the token.
func (g *GitHub) file(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.Header.Get("Authorization") != "" {
		g.unexpected = append(g.unexpected, "the token went to another host: "+r.URL.Path)
	}
	what, id, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	c := g.findCheck(id)
	if c == nil {
		http.NotFound(w, r)
		return
	}
	if what == "log" {
		_, _ = io.WriteString(w, c.Log)
		return
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create("report.xml")
	if err == nil {
		_, _ = io.WriteString(f, c.Report)
	}
	_ = z.Close()
	_, _ = w.Write(b.Bytes())
}

// reviews answers the operation Reviews.
func (g *GitHub) reviews(p *GitHubPull) map[string]any {
	author := func(login string, bot bool) any {
		if login == "" {
			return nil
		}
		kind := "User"
		if bot {
			kind = "Bot"
		}
		return map[string]any{"__typename": kind, "login": login}
	}
	reviews, threads := []map[string]any{}, []map[string]any{}
	for _, r := range p.Reviews {
		reviews = append(reviews, map[string]any{"databaseId": r.ID, "state": r.State, "body": r.Body,
			"submittedAt": g.clock.Format(time.RFC3339), "authorAssociation": "NONE", "author": author(r.Author, false)})
	}
	for _, t := range p.Threads {
		comments := []map[string]any{}
		for _, c := range t.Comments {
			comments = append(comments, map[string]any{"databaseId": c.ID, "body": c.Body, "diffHunk": t.Hunk,
				"createdAt": g.clock.Format(time.RFC3339), "authorAssociation": c.Association, "author": author(c.Author, c.Bot)})
		}
		var line any
		if t.Line > 0 {
			line = t.Line
		}
		threads = append(threads, map[string]any{"isResolved": t.Resolved, "path": t.Path, "line": line,
			"comments": map[string]any{"nodes": comments}})
	}
	return map[string]any{
		"isInMergeQueue": p.Queued, "latestOpinionatedReviews": map[string]any{"nodes": reviews},
		"reviewThreads": map[string]any{"pageInfo": map[string]any{"hasNextPage": false, "endCursor": nil}, "nodes": threads},
	}
}

// reply answers a thread.
func (g *GitHub) reply(w http.ResponseWriter, p *GitHubPull, id, body string) {
	for _, t := range p.Threads {
		first := t.Comments[0]
		if strconv.FormatInt(first.ID, 10) == id {
			t.Comments = append(slices.Clip(t.Comments),
				&GitHubComment{ID: g.id(), Author: g.state.Login, Body: body})
			answerJSON(w, http.StatusCreated, map[string]any{"id": g.state.next})
			return
		}
	}
	notFound(w) // only the first comment of a thread can be answered
}
