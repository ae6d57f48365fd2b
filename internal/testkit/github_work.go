package testkit

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

func text(in map[string]any, key string) string {
	s, _ := in[key].(string)
	return s
}

func texts(in map[string]any, key string) []string {
	list, _ := in[key].([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func (g *GitHub) findIssue(n int) *GitHubIssue {
	for _, i := range g.state.Issues {
		if i.Number == n {
			return i
		}
	}
	return nil
}

func (g *GitHub) findPull(n int) *GitHubPull {
	for _, p := range g.state.Pulls {
		if p.Number == n {
			return p
		}
	}
	return nil
}

// issues answers below /issues.
func (g *GitHub) issues(w http.ResponseWriter, r *http.Request, parts []string, in map[string]any) {
	if len(parts) == 2 && parts[0] == "comments" {
		g.comment(w, r, parts[1], in)
		return
	}
	if len(parts) == 0 || parts[0] == "" {
		switch r.Method {
		case http.MethodGet:
			g.listIssues(w, r)
		case http.MethodPost:
			g.openIssue(w, in)
		default:
			g.surprise(w, r, r.URL.Path)
		}
		return
	}
	if len(parts) == 1 && parts[0] == "comments" && r.Method == http.MethodGet {
		g.allComments(w, r)
		return
	}
	n, _ := strconv.Atoi(parts[0])
	i := g.findIssue(n)
	p := g.findPull(n)
	if p != nil && len(parts) == 2 && parts[1] == "comments" {
		i = g.talk(p)
	}
	if i == nil && p == nil || i != nil && i.Discussion != "" {
		notFound(w)
		return
	}
	key := r.Method + " " + strings.Join(parts[1:], "/")
	switch {
	case key == "GET ":
		answerJSON(w, http.StatusOK, g.issueJSON(i, p))
	case key == "GET comments" && i != nil:
		var all []map[string]any
		for _, c := range i.Comments {
			all = append(all, g.commentJSON(c))
		}
		page(g, w, r, all)
	case key == "POST comments" && i != nil:
		c := &GitHubComment{ID: g.id(), Author: g.state.Login, Body: text(in, "body"), Association: "NONE",
			At: time.Now()}
		i.Comments = append(i.Comments, c)
		answerJSON(w, http.StatusCreated, g.commentJSON(c))
	case key == "POST labels":
		g.addLabels(i, p, texts(in, "labels"))
		answerJSON(w, http.StatusOK, []any{})
	case r.Method == http.MethodDelete && len(parts) == 3 && parts[1] == "labels":
		g.removeLabel(w, i, p, unescape(parts[2]))
	case key == "PATCH " && p == nil:
		if v, ok := in["state"].(string); ok {
			i.State = v
		}
		answerJSON(w, http.StatusOK, g.issueJSON(i, nil))
	default:
		g.surprise(w, r, r.URL.Path)
	}
}

func (g *GitHub) issueJSON(i *GitHubIssue, p *GitHubPull) map[string]any {
	if i == nil {
		i = &GitHubIssue{Number: p.Number, Title: p.Title, Body: p.Body, State: p.State, Author: p.Author,
			PullRequest: true}
	}
	labels := []map[string]any{}
	for _, l := range i.Labels {
		labels = append(labels, map[string]any{"name": l})
	}
	out := map[string]any{
		"number": i.Number, "title": i.Title, "body": i.Body, "state": i.State, "state_reason": nil, "user": map[string]any{"login": i.Author},
		"labels": labels, "locked": i.Locked, "comments": len(i.Comments),
		"html_url": fmt.Sprintf("https://%s/%s/%s/issues/%d", cmp.Or(g.state.Host, "github.com"), g.state.Owner, g.state.Name, i.Number),
	}
	if i.Moved != "" { // GitHub redirects to the other repository's API
		out["html_url"] = i.Moved
	}
	if i.StateReason != "" {
		out["state_reason"] = i.StateReason
	}
	if i.Body == "" {
		out["body"] = nil // as GitHub has it
	}
	if i.PullRequest {
		out["pull_request"] = map[string]any{"url": "https://api.github.com/pulls"}
	}
	return out
}

func (g *GitHub) commentJSON(c *GitHubComment) map[string]any {
	kind := "User"
	if c.Bot {
		kind = "Bot"
	}
	out := map[string]any{
		"id": c.ID, "body": c.Body, "author_association": c.Association, "created_at": g.clock.Format(time.RFC3339),
		"user": map[string]any{"login": c.Author, "type": kind},
	}
	if c.Author == "" {
		out["user"] = nil
	}
	return out
}

func (g *GitHub) comment(w http.ResponseWriter, r *http.Request, id string, in map[string]any) {
	for _, i := range g.state.Issues {
		for k, c := range i.Comments {
			if strconv.FormatInt(c.ID, 10) != id {
				continue
			}
			switch {
			case c.Author != g.state.Login:
				g.unexpected = append(g.unexpected, r.Method+" of a comment by "+c.Author)
				answerJSON(w, http.StatusForbidden, message("not yours"))
			case r.Method == http.MethodPatch:
				c.Body, c.At = text(in, "body"), time.Now()
				c.Edits++
				answerJSON(w, http.StatusOK, g.commentJSON(c))
			case r.Method == http.MethodDelete:
				i.Comments = append(i.Comments[:k], i.Comments[k+1:]...)
				w.WriteHeader(http.StatusNoContent)
			default:
				g.surprise(w, r, r.URL.Path)
			}
			return
		}
	}
	notFound(w)
}

// labels answers below /labels.
func (g *GitHub) labels(w http.ResponseWriter, r *http.Request, parts []string, in map[string]any) {
	switch {
	case r.Method == http.MethodGet && len(parts) == 1:
		name := unescape(parts[0])
		if !has(g.state.Labels, name) {
			notFound(w)
			return
		}
		answerJSON(w, http.StatusOK, map[string]any{"name": name})
	case r.Method == http.MethodPost && len(parts) == 0:
		g.state.Labels = append(g.state.Labels, text(in, "name"))
		answerJSON(w, http.StatusCreated, map[string]any{"name": text(in, "name")})
	default:
		g.surprise(w, r, r.URL.Path)
	}
}

// pulls answers below /pulls.
func (g *GitHub) pulls(w http.ResponseWriter, r *http.Request, parts []string, in map[string]any) {
	if len(parts) == 0 {
		switch r.Method {
		case http.MethodGet:
			g.listPulls(w, r)
		case http.MethodPost:
			g.openPull(w, in)
		default:
			g.surprise(w, r, r.URL.Path)
		}
		return
	}
	n, _ := strconv.Atoi(parts[0])
	p := g.findPull(n)
	if p == nil {
		notFound(w)
		return
	}
	switch key := r.Method + " " + strings.Join(parts[1:], "/"); key {
	case "GET ":
		answerJSON(w, http.StatusOK, g.pullJSON(p))
	case "PATCH ":
		if v, ok := in["title"].(string); ok {
			p.Title = v
		}
		if v, ok := in["body"].(string); ok {
			p.Body = v
		}
		if v, ok := in["state"].(string); ok {
			p.State = v
		}
		answerJSON(w, http.StatusOK, g.pullJSON(p))
	case "POST comments/" + nth(parts, 2) + "/replies":
		g.reply(w, p, nth(parts, 2), text(in, "body"))
	case "POST requested_reviewers":
		for _, who := range texts(in, "reviewers") {
			if who == p.Author {
				answerJSON(w, http.StatusUnprocessableEntity,
					message("Review cannot be requested from pull request author."))
				return
			}
		}
		p.Reviewers = append(append(p.Reviewers, texts(in, "reviewers")...), texts(in, "team_reviewers")...)
		answerJSON(w, http.StatusCreated, g.pullJSON(p))
	case "PUT merge":
		g.merge(w, p, in)
	default:
		g.surprise(w, r, r.URL.Path)
	}
}

func (g *GitHub) merge(w http.ResponseWriter, p *GitHubPull, in map[string]any) {
	if tip := g.tip(p.HeadOwner, p.Head); text(in, "sha") != tip {
		answerJSON(w, http.StatusConflict,
			message("Head branch was modified. Review and try the merge again."))
		return
	}
	if len(g.state.Rules[p.Base]) > 0 && strings.Contains(string(g.state.Rules[p.Base][0]), "merge_queue") {
		answerJSON(w, http.StatusMethodNotAllowed, message("Changes must be made through the merge queue"))
		return
	}
	if !g.squash(p) {
		answerJSON(w, http.StatusMethodNotAllowed, message("Pull Request is not mergeable"))
		return
	}
	answerJSON(w, http.StatusOK,
		map[string]any{"merged": true, "message": "Pull Request successfully merged", "sha": "0"})
}

func (g *GitHub) listPulls(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	state := q.Get("state")
	if state == "" {
		state = "open"
	}
	all := []map[string]any{}
	for i := len(g.state.Pulls) - 1; i >= 0; i-- {
		p := g.state.Pulls[i]
		if state != "all" && p.State != state {
			continue
		}
		if h := q.Get("head"); h != "" && h != p.HeadOwner+":"+p.Head {
			continue
		}
		all = append(all, g.pullJSON(p))
	}
	page(g, w, r, all)
}

func (g *GitHub) openPull(w http.ResponseWriter, in map[string]any) {
	s := &g.state
	owner, head, cross := strings.Cut(text(in, "head"), ":")
	if !cross {
		owner, head = s.Owner, text(in, "head")
	}
	draft, _ := in["draft"].(bool)
	invalid := func(m string) {
		answerJSON(w, http.StatusUnprocessableEntity, map[string]any{
			"message": "Validation Failed", "errors": []map[string]any{{"resource": "PullRequest", "code": "custom", "message": m}},
		})
	}
	tip := g.tip(owner, head)
	switch {
	case s.NoPulls:
		w.Header().Set("X-Accepted-GitHub-Permissions", "pull_requests=write")
		answerJSON(w, http.StatusForbidden, message("Resource not accessible by personal access token"))
		return
	case draft && s.NoDrafts:
		answerJSON(w, http.StatusUnprocessableEntity,
			message("Draft pull requests are not supported in this repository."))
		return
	case tip == "" || text(in, "title") == "":
		invalid("head is invalid: there is no branch " + head)
		return
	case g.tip("", text(in, "base")) == "":
		invalid("base is invalid")
		return
	case tip == g.tip("", text(in, "base")):
		invalid("No commits between " + text(in, "base") + " and " + head)
		return
	}
	for _, p := range s.Pulls {
		if p.State == "open" && p.Head == head && p.HeadOwner == owner {
			invalid("A pull request already exists for " + owner + ":" + head + ".")
			return
		}
	}
	n := 100
	for _, p := range s.Pulls {
		n = max(n, p.Number)
	}
	log := "opened"
	if draft {
		log = "opened as draft"
	}
	p := &GitHubPull{
		Number: n + 1, Title: text(in, "title"), Body: text(in, "body"), State: "open", Draft: draft, Author: s.Login,
		Head: head, HeadOwner: owner, Base: text(in, "base"), Log: []string{log},
	}
	s.Pulls = append(s.Pulls, p)
	answerJSON(w, http.StatusCreated, g.pullJSON(p))
}

func (g *GitHub) pullJSON(p *GitHubPull) map[string]any {
	g.mirror(p)
	repo, dir := p.HeadOwner+"/"+g.state.Name, g.state.Dir
	if p.HeadOwner != g.state.Owner {
		dir = g.state.ForkDir
	}
	labels := []map[string]any{}
	for _, l := range p.Labels {
		labels = append(labels, map[string]any{"name": l})
	}
	var merged any
	if p.Merged {
		merged = g.clock.Format(time.RFC3339)
	}
	return map[string]any{
		"number": p.Number, "node_id": "PR_" + strconv.Itoa(p.Number), "title": p.Title, "body": p.Body, "state": p.State, "draft": p.Draft,
		"merged": p.Merged, "merged_at": merged, "auto_merge": autoMergeJSON(p), "user": map[string]any{"login": p.Author}, "labels": labels,
		"html_url": fmt.Sprintf("https://%s/%s/%s/pull/%d", cmp.Or(g.state.Host, "github.com"), g.state.Owner, g.state.Name, p.Number),
		"head": map[string]any{"ref": p.Head, "sha": g.tip(p.HeadOwner, p.Head), "user": map[string]any{"login": p.HeadOwner},
			"repo": map[string]any{"full_name": repo, "clone_url": dir, "ssh_url": dir}},
		"maintainer_can_modify": p.Editable, "locked": false, "updated_at": p.Updated.UTC().Format(time.RFC3339),
		"base": map[string]any{"ref": p.Base, "sha": g.tip("", p.Base), "user": map[string]any{"login": g.state.Owner},
			"repo": map[string]any{"full_name": g.state.Owner + "/" + g.state.Name}},
	}
}

// autoMergeJSON is null where nobody asked for it.
func autoMergeJSON(p *GitHubPull) any {
	if !p.AutoMerge {
		return nil
	}
	return map[string]any{"merge_method": "squash"}
}

// mirror keeps the reference under which GitHub shows a pull request's tip.
func (g *GitHub) mirror(p *GitHubPull) {
	ref := fmt.Sprintf("refs/pull/%d/head", p.Number)
	from := g.state.Dir
	if p.HeadOwner != g.state.Owner {
		from = g.state.ForkDir
	}
	if tip := g.tip(p.HeadOwner, p.Head); tip != "" && tip == refIn(g.state.Dir, ref) {
		return
	}
	out, err := exec.Command("git", "--git-dir", g.state.Dir, "fetch", "-q", from, "+refs/heads/"+p.Head+":"+ref).CombinedOutput() //nolint:noctx // a local copy
	if err != nil && p.State == "open" {
		g.unexpected = append(g.unexpected, "mirror: "+string(out))
	}
}

// graphql answers the operations that booty has, known by their names.
func (g *GitHub) graphql(w http.ResponseWriter, in map[string]any) {
	query := text(in, "query")
	vars, _ := in["variables"].(map[string]any)
	fields := strings.FieldsFunc(query, func(r rune) bool { return strings.ContainsRune(" (){\n", r) })
	if len(fields) < 2 {
		g.unexpected = append(g.unexpected, "graphql: "+query)
		answerJSON(w, http.StatusOK, map[string]any{"errors": []map[string]any{{"message": "parse error"}}})
		return
	}
	data, refused := g.asked(fields[1], vars)
	if data == nil && refused == "" {
		data, refused = g.mutate(fields[1], vars)
	}
	if refused != "" {
		answerJSON(w, http.StatusOK,
			map[string]any{"data": nil,
				"errors": []map[string]any{{"type": "UNPROCESSABLE", "message": refused}}})
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{"data": data})
}

// asked answers a query, nil where the operation is none.
func (g *GitHub) asked(operation string, vars map[string]any) (data map[string]any, refused string) {
	number, _ := vars["number"].(float64)
	n := int(number)
	repository := func(name string,
		v any) map[string]any {
		return map[string]any{"repository": map[string]any{name: v}}
	}
	switch operation {
	case "Viewer":
		return map[string]any{"viewer": map[string]any{"login": g.state.Login}}, ""
	case "Solvers":
		nodes := []map[string]any{}
		if i := g.findIssue(n); i != nil {
			for _, s := range i.Solvers {
				nodes = append(nodes, map[string]any{
					"number": s.Number, "state": s.State, "isDraft": false, "author": map[string]any{"login": s.Author},
					"url": fmt.Sprintf("https://%s/%s/%s/pull/%d", cmp.Or(g.state.Host, "github.com"), g.state.Owner, g.state.Name, s.Number),
				})
			}
		}
		return repository("issue",
			map[string]any{"closedByPullRequestsReferences": map[string]any{"nodes": nodes}}), ""
	case "Place":
		if i := g.findIssue(n); i != nil && i.Discussion != "" {
			return repository("discussion", map[string]any{"url": i.Discussion}), ""
		}
		return repository("discussion", nil), ""
	case "Reviews":
		return repository("pullRequest", g.reviews(g.findPull(n))), ""
	case "Standing":
		return repository("pullRequest", g.standing(g.findPull(n))), ""
	case "Newest":
		g.settleMerges()
		return map[string]any{"repository": g.newest(vars)}, ""
	}
	return nil, ""
}

// mutate changes a pull request.
func (g *GitHub) mutate(operation string, vars map[string]any) (data map[string]any, refused string) {
	id, _ := vars["id"].(string)
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "PR_"))
	p := g.findPull(n)
	if p == nil {
		return nil, "Could not resolve to a node with the global id of '" + id + "'"
	}
	switch operation {
	case "Ready", "Draft":
		p.Draft = operation == "Draft"
		p.Log = append(p.Log, strings.ToLower(operation))
		return map[string]any{"pullRequest": map[string]any{"isDraft": p.Draft}}, ""
	case "Enqueue":
		p.Queued = true
		return map[string]any{"enqueuePullRequest": map[string]any{"mergeQueueEntry": map[string]any{"position": 1}}}, ""
	case "AutoMerge":
		switch {
		case !g.state.AutoMerge:
			return nil, "Auto merge is not allowed for this repository"
		case p.Draft:
			return nil, "Pull request is in draft status"
		case g.state.Clean:
			return nil, "Pull request Pull request is in clean status"
		}
		p.AutoMerge = true
		return map[string]any{"enablePullRequestAutoMerge": map[string]any{"pullRequest": map[string]any{"number": p.Number}}}, ""
	}
	g.unexpected = append(g.unexpected, "graphql "+operation)
	return nil, "unknown operation"
}
