package github

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cli/go-gh/v2/pkg/api"
)

// Check is a failed check of a commit: a GitHub Actions job, a check run of another app, or
// a commit status.
type Check struct {
	Name string
	// Job is the ID of the GitHub Actions job, 0 for other checks.
	Job int64
	// Summary is the check's own summary.
	Summary string
	URL     string
}

// failed reports whether a conclusion asks for a change. A cancelled or skipped check, or
// one that waits for a person, does not.
func failed(conclusion string) bool { return conclusion == "failure" || conclusion == "timed_out" }

// FailedChecks returns the failed checks of a commit and the number of running ones.
func (c *Client) FailedChecks(ctx context.Context, commit string) (all []Check, running int, err error) {
	what := "read the checks of " + commit[:min(len(commit), 10)]
	for page := 1; page <= maxPages; page++ {
		var out struct {
			Total int `json:"total_count"`
			Runs  []struct {
				ID         int64  `json:"id"`
				Name       string `json:"name"`
				Status     string `json:"status"`
				Conclusion string `json:"conclusion"`
				HTMLURL    string `json:"html_url"`
				Output     struct {
					Title   string `json:"title"`
					Summary string `json:"summary"`
					Text    string `json:"text"`
				} `json:"output"`
				App struct {
					Slug string `json:"slug"`
				} `json:"app"`
			} `json:"check_runs"`
		}
		path := c.path("/commits/%s/check-runs?filter=latest&per_page=100&page=%d", commit, page)
		if err := c.do(ctx, what, http.MethodGet, path, nil, &out); err != nil {
			return nil, 0, err
		}
		for _, r := range out.Runs {
			if r.Status != "completed" {
				running++
			}
			if !failed(r.Conclusion) {
				continue
			}
			k := Check{Name: r.Name, URL: r.HTMLURL,
				Summary: strings.TrimSpace(r.Output.Title + "\n" + r.Output.Summary + "\n" + r.Output.Text)}
			if r.App.Slug == "github-actions" {
				k.Job = r.ID // a job has the ID of its check run
			}
			all = append(all, k)
		}
		if len(out.Runs) == 0 || page*100 >= out.Total {
			break
		}
	}
	var status struct {
		Statuses []struct {
			State       string `json:"state"`
			Context     string `json:"context"`
			Description string `json:"description"`
			TargetURL   string `json:"target_url"`
		} `json:"statuses"`
	}
	path := c.path("/commits/%s/status?per_page=100", commit)
	if err := c.do(ctx, what, http.MethodGet, path, nil, &status); err != nil {
		return nil, 0, err
	}
	for _, s := range status.Statuses {
		switch s.State {
		case "failure", "error":
			all = append(all, Check{Name: s.Context, Summary: s.Description, URL: s.TargetURL})
		case "pending":
			running++
		}
	}
	return all, running, nil
}

// PassedJob returns the ID of the GitHub Actions job with a name that passed on a commit, 0 if there is
// none.
func (c *Client) PassedJob(ctx context.Context, commit, name string) (int64, error) {
	var out struct {
		Runs []struct {
			ID         int64  `json:"id"`
			Name       string `json:"name"`
			Conclusion string `json:"conclusion"`
			App        struct {
				Slug string `json:"slug"`
			} `json:"app"`
		} `json:"check_runs"`
	}
	path := c.path("/commits/%s/check-runs?filter=latest&per_page=100&check_name=%s", commit,
		url.QueryEscape(name))
	if err := c.do(ctx, "read the checks of "+commit[:min(len(commit), 10)], http.MethodGet, path, nil,
		&out); err != nil {
		return 0, err
	}
	for _, r := range out.Runs {
		if r.Name == name && r.Conclusion == "success" && r.App.Slug == "github-actions" {
			return r.ID, nil
		}
	}
	return 0, nil
}

// Standing is the state of an open pull request's checks.
type Standing struct {
	// Queued reports whether it is in a merge queue.
	Queued bool
	// Failed are the checks that block the merge: required ones, or all if none is
	// required. Running counts those still running.
	Failed  []string
	Running int
}

const standingQuery = `query Standing($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      isInMergeQueue
      commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 100) { nodes {
        ... on CheckRun { name status conclusion isRequired(pullRequestNumber: $number) }
        ... on StatusContext { context state isRequired(pullRequestNumber: $number) }
      } } } } } }
    }
  }
}`

// Standing fetches the state of a pull request.
func (c *Client) Standing(ctx context.Context, n int) (Standing, error) {
	var in struct {
		Repository struct {
			PullRequest struct {
				IsInMergeQueue bool
				Commits        struct {
					Nodes []struct {
						Commit struct {
							StatusCheckRollup *struct {
								Contexts struct{ Nodes []contextJSON }
							}
						}
					}
				}
			}
		}
	}
	vars := map[string]any{"owner": c.o.Repo.Owner, "name": c.o.Repo.Name, "number": n}
	if err := c.graphql(ctx, fmt.Sprintf("read the checks of #%d", n), standingQuery, vars, &in); err != nil {
		return Standing{}, err
	}
	p := in.Repository.PullRequest
	out := Standing{Queued: p.IsInMergeQueue}
	for _, node := range p.Commits.Nodes {
		if node.Commit.StatusCheckRollup == nil {
			continue
		}
		contexts := node.Commit.StatusCheckRollup.Contexts.Nodes
		required := slices.ContainsFunc(contexts, func(k contextJSON) bool { return k.IsRequired })
		for _, k := range contexts {
			switch {
			case required && !k.IsRequired:
			case k.running():
				out.Running++
			case failed(strings.ToLower(k.Conclusion)) || k.State == "FAILURE" || k.State == "ERROR":
				out.Failed = append(out.Failed, cmp.Or(k.Name, k.Context))
			}
		}
	}
	return out, nil
}

// contextJSON is a check run, or a commit status.
type contextJSON struct {
	Name, Status, Conclusion string
	Context, State           string
	IsRequired               bool
}

func (k contextJSON) running() bool {
	return k.Name != "" && k.Status != "COMPLETED" || k.State == "PENDING" || k.State == "EXPECTED"
}

// Job is a job of GitHub Actions.
type Job struct {
	Workflow, Name string
	// Step is the name of the first step that failed.
	Step string
	// Run is its workflow run.
	Run int64
}

// Job fetches a job.
func (c *Client) Job(ctx context.Context, id int64) (Job, error) {
	var j struct {
		Run      int64  `json:"run_id"`
		Workflow string `json:"workflow_name"`
		Name     string `json:"name"`
		Steps    []struct {
			Name       string `json:"name"`
			Conclusion string `json:"conclusion"`
		} `json:"steps"`
	}
	err := c.do(ctx, fmt.Sprintf("read job %d", id), http.MethodGet, c.path("/actions/jobs/%d", id), nil, &j)
	out := Job{Workflow: j.Workflow, Name: j.Name, Run: j.Run}
	for _, s := range j.Steps {
		if failed(s.Conclusion) && out.Step == "" {
			out.Step = s.Name
		}
	}
	return out, err
}

// maxLog bounds the part of a log that is kept, from its end; maxArtifact bounds an
// archive.
const (
	maxLog      = 8 << 20
	maxArtifact = 16 << 20
)

// JobLog returns the log of a job, or its end if it is long.
func (c *Client) JobLog(ctx context.Context, id int64) ([]byte, error) {
	what := fmt.Sprintf("read the log of job %d", id)
	body, err := c.download(ctx, what, c.path("/actions/jobs/%d/logs", id))
	if err != nil {
		return nil, err
	}
	defer body.Close()
	log, err := tail(body, maxLog)
	if err != nil {
		return nil, c.fault(what, err)
	}
	return log, nil
}

// tail reads everything and keeps the last bytes, starting with a whole line.
func tail(r io.Reader, most int) ([]byte, error) {
	var kept []byte
	cut := false
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		kept = append(kept, buf[:n]...)
		if len(kept) > 2*most {
			kept, cut = append(kept[:0], kept[len(kept)-most:]...), true
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if len(kept) > most {
		kept, cut = kept[len(kept)-most:], true
	}
	if i := bytes.IndexByte(kept, '\n'); cut && i >= 0 {
		kept = kept[i+1:]
	}
	return kept, nil
}

// TestReports returns the XML files in the artifacts of a workflow run.
func (c *Client) TestReports(ctx context.Context, run int64) ([][]byte, error) {
	var list struct {
		Artifacts []struct {
			ID      int64 `json:"id"`
			Size    int64 `json:"size_in_bytes"`
			Expired bool  `json:"expired"`
		} `json:"artifacts"`
	}
	what := fmt.Sprintf("read the artifacts of workflow run %d", run)
	err := c.do(ctx, what, http.MethodGet, c.path("/actions/runs/%d/artifacts?per_page=100", run), nil, &list)
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for _, a := range list.Artifacts {
		if a.Expired || a.Size > maxArtifact {
			continue
		}
		body, err := c.download(ctx, what, c.path("/actions/artifacts/%d/zip", a.ID))
		if err != nil {
			return out, err
		}
		data, err := io.ReadAll(io.LimitReader(body, maxArtifact))
		_ = body.Close()
		if err != nil {
			return out, c.fault(what, err)
		}
		out = append(out, xmlIn(data)...)
	}
	return out, nil
}

// xmlIn returns the XML files of an archive, as many as fit.
func xmlIn(archive []byte) [][]byte {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil
	}
	var out [][]byte
	left := int64(maxArtifact)
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ".xml") || left <= 0 {
			continue
		}
		r, err := f.Open()
		if err != nil {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(r, left))
		_ = r.Close()
		if err == nil {
			out = append(out, data)
			left -= int64(len(data))
		}
	}
	return out
}

// download follows the redirect to a file. It leads to another host, which must not see the
// token.
func (c *Client) download(ctx context.Context, what, path string) (io.ReadCloser, error) {
	resp, err := c.wire.request(ctx, http.MethodGet, path, nil)
	if err == nil {
		return resp.Body, nil
	}
	var h *api.HTTPError
	if !errors.As(err, &h) || h.StatusCode != http.StatusFound || h.Headers.Get("Location") == "" {
		return nil, c.fault(what, err)
	}
	ctx, cancel := context.WithTimeout(ctx, downloadTime)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.Headers.Get("Location"), nil)
	if err != nil {
		cancel()
		return nil, c.fault(what, err)
	}
	req.Header.Set("User-Agent", c.o.UserAgent)
	resp, err = c.o.Transport.RoundTrip(req)
	if err != nil {
		cancel()
		return nil, c.fault(what, err)
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		cancel()
		return nil, c.fault(what,
			&api.HTTPError{StatusCode: resp.StatusCode, RequestURL: req.URL, Headers: resp.Header})
	}
	return &cancelBody{resp.Body, cancel}, nil
}

// downloadTime bounds one download.
const downloadTime = 2 * time.Minute
