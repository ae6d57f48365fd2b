package ci

import (
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// gitlabWords are the keys at the top of .gitlab-ci.yml that are no jobs.
var gitlabWords = []string{"stages", "variables", "default", "include", "workflow", "image", "services",
	"before_script", "after_script", "cache", "spec", "pages"}

func (r *reader) gitlab() {
	const file = ".gitlab-ci.yml"
	top := parse(r.text(file))
	for _, name := range top.keys() {
		if strings.HasPrefix(name, ".") || slices.Contains(gitlabWords, name) || !top.get(name).is(yaml.MappingNode) {
			continue
		}
		job := gitlabJob{r, top, top.get(name)}
		if !job.wanted() {
			continue
		}
		rows := matrix(gitlabMatrix(job.get("parallel").get("matrix")))
		for _, row := range rows {
			r.add(Run{File: file, Job: name, Services: job.services(), Steps: job.steps(row.values)})
		}
	}
}

// gitlabMatrix is the first of the matrices; one of a job is like another.
func gitlabMatrix(m value) value {
	if l := m.list(); len(l) > 0 {
		return l[0]
	}
	return value{}
}

type gitlabJob struct {
	*reader
	top, job value
}

// get gives a key of the job, of what it extends, or of the defaults.
func (j gitlabJob) get(key string) value {
	if v := j.inherited(j.job, key); v.ok() {
		return v
	}
	if v := j.top.get("default").get(key); v.ok() {
		return v
	}
	if slices.Contains(gitlabWords, key) {
		return j.top.get(key)
	}
	return value{}
}

// inherited gives a key of a job, or of the nearest that it extends.
func (j gitlabJob) inherited(job value, key string) value {
	for _, base := range j.bases(job) {
		if v := base.get(key); v.ok() {
			return v
		}
	}
	return value{}
}

// bases are a job and what it extends, the nearest first, each once.
func (j gitlabJob) bases(job value) []value {
	out := []value{job}
	seen := map[string]bool{}
	for i := 0; i < len(out); i++ {
		for _, base := range slices.Backward(out[i].get("extends").list()) {
			if name := base.text(); !seen[name] && j.top.get(name).ok() {
				seen[name] = true
				out = append(out, j.top.get(name))
			}
		}
	}
	return out
}

func (j gitlabJob) wanted() bool {
	if j.get("when").text() == "manual" || contains(j.get("stage").text(), "deploy", "release", "publish") {
		return false
	}
	only := j.get("only").list()
	return len(only) == 0 || slices.ContainsFunc(only, func(v value) bool {
		return !slices.Contains([]string{"schedules", "tags", "triggers", "web"}, v.text())
	})
}

func (j gitlabJob) services() []string {
	var out []string
	for _, s := range j.get("services").list() {
		if name := firstText(s, s.get("name")); name != "" {
			out = append(out, name)
		}
	}
	return out
}

func (j gitlabJob) steps(row map[string]string) []Step {
	env := map[string]string{"CI_PROJECT_DIR": "."}
	maps.Copy(env, j.top.get("variables").pairs())
	for _, base := range slices.Backward(j.bases(j.job)) {
		maps.Copy(env, base.get("variables").pairs())
	}
	maps.Copy(env, row)
	sh := shell{env: env, dir: "."}
	var out []Step
	for _, key := range []string{"before_script", "script"} {
		for _, line := range j.lines(j.get(key), 0) {
			out = append(out, sh.steps(line)...)
		}
	}
	return out
}

// lines flattens a script: lists in lists, and references to other jobs.
func (j gitlabJob) lines(v value, depth int) []string {
	if depth > 10 || !v.ok() || !j.more() {
		return nil
	}
	if n := v.node(); n.Tag == "!reference" && len(n.Content) == 2 {
		return j.lines(j.inherited(j.top.get(n.Content[0].Value), n.Content[1].Value), depth+1)
	}
	if !v.is(yaml.SequenceNode) {
		return []string{v.text()}
	}
	var out []string
	for _, item := range v.list() {
		out = append(out, j.lines(item, depth+1)...)
	}
	return out
}
