package ci

import (
	"path"
	"strings"

	"gopkg.in/yaml.v3"
)

func (r *reader) circle() {
	const file = ".circleci/config.yml"
	top := parse(r.text(file))
	for _, name := range top.get("jobs").keys() {
		job := top.get("jobs").get(name)
		if contains(name, "deploy", "release", "publish") {
			continue
		}
		c := circleJob{reader: r, top: top, defaults: map[string]string{}}
		c.know(job.get("parameters"))
		run := Run{File: file, Job: name, Services: c.services(job)}
		run.Steps = c.steps(job.get("steps"), map[string]string{}, c.folder(job.get("working_directory").text()), 0)
		r.add(run)
	}
}

type circleJob struct {
	*reader
	top value
	// defaults are those of the parameters that have one.
	defaults map[string]string
}

// know sets the defaults of a job's or a command's parameters.
func (c circleJob) know(parameters value) {
	for _, k := range parameters.keys() {
		if d := parameters.get(k).get("default"); d.is(yaml.ScalarNode) {
			c.defaults[k] = d.text()
		}
	}
}

// services are the images beside the first, which the steps run in.
func (c circleJob) services(job value) []string {
	var out []string
	for i, d := range job.get("docker").list() {
		if image := d.get("image").text(); i > 0 && image != "" {
			out = append(out, image)
		}
	}
	return out
}

// folder takes the place of the checkout for the root.
func (c circleJob) folder(dir string) string {
	if strings.HasPrefix(dir, "~") || path.IsAbs(dir) || dir == "" {
		return "."
	}
	return path.Clean(dir)
}

func (c circleJob) steps(list value, env map[string]string, dir string, depth int) []Step {
	var out []Step
	if depth > 5 {
		return nil
	}
	for _, step := range list.list() {
		if !c.more() {
			return out
		}
		if command := c.top.get("commands").get(step.text()); step.text() != "" && command.ok() {
			out = append(out, c.called(command, value{}).steps(command.get("steps"), env, dir, depth+1)...)
		}
		for _, key := range step.keys() {
			inner := step.get(key)
			command := c.top.get("commands").get(key)
			switch {
			case key == "run":
				out = append(out, c.run(inner, env, dir)...)
			case key == "when" || key == "unless":
				out = append(out, c.steps(inner.get("steps"), env, dir, depth+1)...)
			case command.ok():
				out = append(out, c.called(command, inner).steps(command.get("steps"), env, dir, depth+1)...)
			}
		}
	}
	return out
}

// called is the job inside of one of its commands.
func (c circleJob) called(command, given value) circleJob {
	inner := circleJob{c.reader, c.top, map[string]string{}}
	inner.know(command.get("parameters"))
	for k, v := range given.pairs() {
		inner.defaults[k] = c.fill(v)
	}
	return inner
}

func (c circleJob) run(step value, env map[string]string, dir string) []Step {
	if d := c.fill(step.get("working_directory").text()); d != "" {
		dir = c.folder(d)
	}
	sh := shell{env: map[string]string{}, dir: dir}
	for k, v := range env {
		sh.env[k] = v
	}
	for k, v := range step.get("environment").pairs() {
		sh.env[k] = v
	}
	return sh.steps(c.fill(firstText(step, step.get("command"))))
}

// fill puts the values of parameters in place.
func (c circleJob) fill(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<<")
		b.WriteString(before)
		inner, after, closed := strings.Cut(rest, ">>")
		name, isParameter := strings.CutPrefix(strings.TrimSpace(inner), "parameters.")
		switch {
		case !found:
			return b.String()
		case !closed || !isParameter:
			b.WriteString("<<")
			text = rest
		default:
			if v, ok := c.defaults[name]; ok {
				b.WriteString(v)
			} else {
				b.WriteString(unknown)
			}
			text = after
		}
	}
}
