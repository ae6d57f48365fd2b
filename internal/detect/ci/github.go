package ci

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

const workflows = ".github/workflows"

// github reads the workflows that a pull request or a push starts, those named
// for tests first.
func (r *reader) github() {
	entries, err := fs.ReadDir(r.fsys, workflows)
	if err != nil {
		return
	}
	var names []string
	for _, e := range entries {
		if ext := path.Ext(e.Name()); ext == ".yml" || ext == ".yaml" {
			names = append(names, e.Name())
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	for _, n := range names {
		file := path.Join(workflows, n)
		w := parse(r.text(file))
		if !triggered(w.get("on")) {
			continue
		}
		for _, name := range w.get("jobs").keys() {
			job := githubJob{reader: r, file: file, name: name, workflow: w, job: w.get("jobs").get(name)}
			job.read()
		}
	}
}

// rank puts the workflows that are about tests before the others.
func rank(name string) int {
	for i, words := range [][]string{{"test", "ci", "build", "check", "main"}, {""}} {
		for _, w := range words {
			if strings.Contains(strings.ToLower(name), w) {
				return i
			}
		}
	}
	return 2
}

// triggered says whether a proposal would start the workflow, by itself or
// from another one.
func triggered(on value) bool {
	for _, o := range on.list() {
		names := o.keys()
		if o.is(yaml.ScalarNode) {
			names = []string{o.text()}
		}
		for _, n := range names {
			switch n {
			case "pull_request", "merge_group", "workflow_call":
				return true
			case "push":
				push := o.get("push")
				onlyTags := push.get("tags").ok() && !push.get("branches").ok()
				if !onlyTags {
					return true
				}
			}
		}
	}
	return false
}

type githubJob struct {
	*reader
	file, name    string
	workflow, job value
}

// maxRows bounds the rows of a matrix that are looked at.
const maxRows = 60

func (j *githubJob) read() {
	rows := matrix(j.job.get("strategy").get("matrix"))
	for _, row := range rows[:min(len(rows), maxRows)] {
		s := j.scope(row, nil)
		os := strings.ToLower(expand(j.job.get("runs-on").text(), s))
		if strings.HasPrefix(os, "windows") || strings.HasPrefix(os, "macos") || !holds(j.job.get("if").text(), s) {
			continue
		}
		run := Run{File: j.file, Job: j.name, Services: j.job.get("services").keys()}
		if uses := j.job.get("uses").text(); uses != "" && !strings.HasPrefix(uses, "./") {
			run.Steps = []Step{{Dir: ".", Uses: uses, With: with(j.job.get("with"), s)}}
		}
		run.Steps = append(run.Steps, j.steps(j.job.get("steps"), s, &run, 0)...)
		j.add(run)
	}
}

// scope knows the matrix, the environment and what is the same in every run.
func (j *githubJob) scope(row row, inputs map[string]string) scope {
	env := map[string]string{}
	var s scope = func(name string) (string, bool) {
		kind, key, _ := strings.Cut(name, ".")
		switch kind {
		case "matrix":
			if v, ok := row.values[key]; ok {
				return v, true
			}
			return "", row.static
		case "env":
			v, ok := env[key]
			return v, ok
		case "inputs":
			v, ok := inputs[key]
			return v, ok
		}
		v, ok := always[name]
		return v, ok
	}
	for _, level := range []value{j.workflow.get("env"), j.job.get("env")} {
		setEnv(env, level, s)
	}
	return s
}

var always = map[string]string{"runner.os": "Linux", "github.event_name": "pull_request", "github.workspace": "."}

func setEnv(env map[string]string, level value, s scope) {
	for _, k := range level.keys() {
		if v := expand(level.get(k).text(), s); strings.Contains(v, unknown) {
			delete(env, k)
		} else {
			env[k] = v
		}
	}
}

func with(v value, s scope) map[string]string {
	out := v.pairs()
	for k := range out {
		out[k] = expand(out[k], s)
	}
	return out
}

// steps reads the steps of a job, or of an action that lies in the repository.
func (j *githubJob) steps(list value, s scope, run *Run, depth int) []Step {
	var out []Step
	for _, step := range list.list() {
		if !j.more() || !holds(step.get("if").text(), s) {
			continue
		}
		if at := step.get("parallel"); at.ok() && depth < 4 {
			out = append(out, j.steps(at, s, run, depth+1)...)
			continue
		}
		if uses := step.get("uses").text(); uses != "" {
			out = append(out, j.action(uses, step, s, run, depth)...)
			continue
		}
		out = append(out, j.script(step, s)...)
	}
	return out
}

func (j *githubJob) script(step value, s scope) []Step {
	shellName := firstText(step.get("shell"), j.job.get("defaults").get("run").get("shell"),
		j.workflow.get("defaults").get("run").get("shell"))
	if contains(shellName, "pwsh", "powershell", "cmd", "msys", "cygwin", "python", "node") {
		return nil
	}
	dir := firstText(step.get("working-directory"), j.job.get("defaults").get("run").get("working-directory"),
		j.workflow.get("defaults").get("run").get("working-directory"))
	dir = expand(dir, s)
	env := map[string]string{}
	for _, level := range []value{j.workflow.get("env"), j.job.get("env"), step.get("env")} {
		setEnv(env, level, s)
	}
	sh := shell{env: maps.Clone(env), dir: path.Join(".", dir)}
	if strings.Contains(dir, unknown) || path.IsAbs(dir) || strings.Contains(dir, "$") {
		sh.dir = ""
	}
	return sh.steps(expand(step.get("run").text(), s))
}

// action is one of somebody's, or one that lies in the repository.
func (j *githubJob) action(uses string, step value, s scope, run *Run, depth int) []Step {
	inputs := with(step.get("with"), s)
	if strings.HasPrefix(uses, "actions/checkout@") && inputs["submodules"] != "" && inputs["submodules"] != "false" {
		run.Submodules = true
	}
	local, ok := strings.CutPrefix(uses, "./")
	if !ok {
		dir := path.Join(".", inputs["working-directory"])
		return []Step{{Dir: dir, Uses: uses, With: inputs}}
	}
	a := parse(j.text(path.Join(local, "action.yml")))
	if !a.ok() {
		a = parse(j.text(path.Join(local, "action.yaml")))
	}
	if !a.ok() || depth > 3 {
		return nil
	}
	for _, k := range a.get("inputs").keys() {
		if _, given := inputs[k]; !given {
			inputs[k] = a.get("inputs").get(k).get("default").text()
		}
	}
	inner := func(name string) (string, bool) {
		if key, ok := strings.CutPrefix(name, "inputs."); ok {
			v, ok := inputs[key]
			return v, ok && !strings.Contains(v, unknown)
		}
		return s(name)
	}
	return j.steps(a.get("runs").get("steps"), inner, run, depth+1)
}

func firstText(list ...value) string {
	for _, v := range list {
		if t := v.text(); t != "" {
			return t
		}
	}
	return ""
}

func contains(s string, any ...string) bool {
	return slices.ContainsFunc(any, func(a string) bool { return strings.Contains(s, a) })
}
