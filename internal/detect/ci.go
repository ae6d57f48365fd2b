package detect

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// job is what CI runs on one machine, in order.
type job struct {
	file, name string
	row        int // of its matrix
	rank       int
	// needs are what CI has and a machine may lack: services, a container.
	needs []string
	lines []ciLine
}

// ciLine is one command of a job.
type ciLine struct {
	line
	rank int
	// secret is set if the step gets secrets. uses is an action instead of a command, with
	// its inputs.
	secret bool
	uses   string
	with   map[string]string
	env    string // variables that the job sets for all of its commands
}

// maxJobs and maxRows bound what is read of CI.
const (
	maxJobs = 300
	maxRows = 40
)

// readCI returns the jobs that a pull request starts, as they would run on Linux. It only
// reads literal text, and plain values of a matrix.
func readCI(t *tree) []job {
	jobs := githubJobs(t)
	for _, file := range []string{".gitlab-ci.yml", ".circleci/config.yml", ".travis.yml", ".cirrus.yml",
		".woodpecker.yml", ".buildkite/pipeline.yml", "azure-pipelines.yml", ".builds/test.yml"} {
		jobs = append(jobs, literalJobs(file, parseYAML(t.text(file)))...)
	}
	return jobs[:min(len(jobs), maxJobs)]
}

// literalJobs extracts the script lines of other CI files: every mapping with a script is a
// job, named by its key.
func literalJobs(file string, root value) []job {
	var out []job
	var walk func(name string, v value, depth int)
	walk = func(name string, v value, depth int) {
		if depth > 8 || len(out) > maxJobs {
			return
		}
		j := job{file: file, name: name, rank: ciRank + oddness(name)}
		if depth < 2 {
			j.needs = v.get("services").keys()
		}
		for _, k := range []string{"before_install", "install", "before_script", "script", "commands"} {
			for _, s := range v.get(k).list() {
				j.addScript(s.text(), root, v)
			}
		}
		for _, s := range v.get("steps").list() {
			run := s.get("run")
			j.addScript(run.text()+run.get("command").text()+s.get("script").text()+s.get("bash").text()+
				s.get("command").text(), root, v)
		}
		if len(j.lines) > 0 {
			out = append(out, j)
		}
		for _, k := range v.keys() {
			if k != "steps" {
				walk(k, v.get(k), depth+1)
			}
		}
		if v.is(yaml.SequenceNode) {
			for _, item := range v.list() {
				walk(name, item, depth+1)
			}
		}
	}
	walk(path.Base(file), root, 0)
	return out
}

func (j *job) addScript(text string, root, own value) {
	env := root.get("variables").pairs()
	maps.Copy(env, own.get("variables").pairs())
	for _, l := range readScript(text, ".", env) {
		j.lines = append(j.lines, ciLine{line: l, rank: j.rank})
	}
}

const workflows = ".github/workflows"

func githubJobs(t *tree) []job {
	entries, err := fs.ReadDir(t.fsys, workflows)
	if err != nil {
		return nil
	}
	var out []job
	for _, e := range entries {
		if ext := path.Ext(e.Name()); ext != ".yml" && ext != ".yaml" {
			continue
		}
		file := path.Join(workflows, e.Name())
		w := parseYAML(t.text(file))
		base := ciRank + oddness(strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
		if !triggered(w.get("on")) {
			base -= 85 // after everything else
		}
		for _, name := range w.get("jobs").keys() {
			g := github{tree: t, w: w, j: w.get("jobs").get(name)}
			g.base = job{file: file, name: name, rank: base + oddness(name+" "+g.j.get("name").text())}
			out = append(out, g.read()...)
		}
	}
	return out
}

// triggered reports whether a pull request starts the workflow, directly or through another
// one.
func triggered(on value) bool {
	for _, o := range on.list() {
		names := o.keys()
		if o.is(yaml.ScalarNode) {
			names = []string{o.text()}
		}
		for _, n := range names {
			push := o.get("push")
			if n == "pull_request" || n == "merge_group" || n == "workflow_call" ||
				n == "push" && (!push.get("tags").ok() || push.get("branches").ok()) {
				return true
			}
		}
	}
	return false
}

// github reads one job of a workflow.
type github struct {
	tree *tree
	w, j value
	base job
}

// read returns the job once for each row of its matrix that runs on Linux.
func (g github) read() []job {
	g.base.needs = g.j.get("services").keys()
	if c := g.j.get("container"); c.ok() {
		g.base.needs = append(g.base.needs, "the container "+oneLine(c.text()+c.get("image").text()))
	}
	if g.j.get("if").ok() {
		g.base.rank -= 5
	}
	if len(g.base.needs) > 0 {
		g.base.rank -= 8
	}
	var out []job
	for n, row := range matrixRows(g.j.get("strategy").get("matrix")) {
		system := ""
		for _, v := range g.j.get("runs-on").list() {
			system += strings.ToLower(fill(v.text(), row))
		}
		if contains(system, "windows", "macos") {
			continue
		}
		one := g.base
		one.row = n
		one.rank += oddness(strings.Join(slices.Collect(maps.Values(row)), " ")) / 3
		g.steps(&one, g.j.get("steps"), row, 0)
		same := func(o job) bool {
			return slices.EqualFunc(o.lines, one.lines,
				func(a, b ciLine) bool { return a.text == b.text && a.uses == b.uses })
		}
		if len(one.lines) > 0 && !slices.ContainsFunc(out, same) {
			out = append(out, one)
		}
	}
	return out
}

func (g github) steps(to *job, list value, row map[string]string, depth int) {
	for _, step := range list.list() {
		cond := strings.ToLower(fill(step.get("if").text(), row))
		if otherSystem().MatchString(cond) || strings.Contains(cond, "failure()") {
			continue
		}
		rank := to.rank
		if cond != "" {
			rank -= 15
		}
		if uses := step.get("uses").text(); uses != "" {
			g.action(to, step, uses, row, rank, depth)
			continue
		}
		g.run(to, step, row, rank)
	}
}

var otherSystem = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`== *'?(?:windows|macos)|contains\([^)]*'(?:windows|macos)|startswith\([^)]*'(?:windows|macos)|!= *'?(?:linux|ubuntu)`)
})

func (g github) run(to *job, step value, row map[string]string, rank int) {
	pick := func(key string) string {
		for _, v := range []value{step, g.j.get("defaults").get("run"), g.w.get("defaults").get("run")} {
			if s := v.get(key).text(); s != "" {
				return fill(s, row)
			}
		}
		return ""
	}
	if contains(pick("shell"), "pwsh", "powershell", "cmd", "msys", "cygwin", "python", "node") {
		return
	}
	dir := inside(path.Join(".", pick("working-directory")))
	if strings.Contains(dir, "$") {
		dir = ""
	}
	env, own := map[string]string{}, map[string]string{}
	for _, level := range []value{g.w.get("env"), g.j.get("env"), step.get("env")} {
		for k, v := range level.pairs() {
			if v = fill(v, row); strings.Contains(v, "${{") {
				delete(env, k)
			} else {
				env[k] = v
			}
		}
	}
	secret, around := false, map[string]string{}
	for k, v := range step.get("env").pairs() {
		secret = secret || strings.Contains(v, "secrets.") && !strings.Contains(v, "GITHUB_TOKEN")
		own[k] = fill(v, row)
	}
	for _, level := range []value{g.w.get("env"), g.j.get("env")} {
		for k, v := range level.pairs() {
			if _, again := own[k]; !again {
				around[k] = fill(v, row)
			}
		}
	}
	text := fill(step.get("run").text(), row)
	secret = secret || strings.Contains(text, "secrets.")
	for _, l := range readScript(text, dir, env) {
		l.text = assigned(own, l.text) + l.text
		to.lines = append(to.lines,
			ciLine{line: l, rank: rank, secret: secret, env: assigned(around, l.text)})
	}
}

// assigned sets variables before a command, as far as their values are known and the
// command does not set them itself.
func assigned(env map[string]string, command string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(env)) {
		v := env[k]
		if v == "" || k == "CI" || contains(v, "${{", "\n") || strings.Contains(k, "COLOR") ||
			strings.Contains(command, k+"=") {
			continue
		}
		b.WriteString(k + "=" + quoted(v) + " ")
	}
	return b.String()
}

// action reads an action, from elsewhere or in the repository.
func (g github) action(to *job, step value, uses string, row map[string]string, rank, depth int) {
	local, ok := strings.CutPrefix(uses, "./")
	if !ok {
		with := step.get("with").pairs()
		for k := range with {
			with[k] = fill(with[k], row)
		}
		to.lines = append(to.lines, ciLine{line: line{dir: inside(path.Join(".", with["working-directory"]))},
			rank: rank, uses: uses, with: with})
		return
	}
	a := parseYAML(g.tree.text(path.Join(local, "action.yml")))
	if !a.ok() {
		a = parseYAML(g.tree.text(path.Join(local, "action.yaml")))
	}
	if depth < 3 {
		g.steps(to, a.get("runs").get("steps"), row, depth+1)
	}
}

// fill replaces expressions by the plain values of a matrix.
func fill(text string, row map[string]string) string {
	return matrixUse().ReplaceAllStringFunc(text, func(use string) string {
		if v, ok := row[matrixUse().FindStringSubmatch(use)[1]]; ok && !strings.Contains(v, "${{") {
			return v
		}
		return use
	})
}

var matrixUse = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{\{\s*matrix\.([\w.-]+)\s*\}\}`) })

// matrixRows returns the rows of a literal matrix. One made by an expression has one row
// without values.
func matrixRows(m value) []map[string]string {
	rows := []map[string]string{{}}
	var axes []string
	for _, key := range m.keys() {
		if axis := m.get(key); key != "include" && key != "exclude" && axis.is(yaml.SequenceNode) {
			axes = append(axes, key)
			rows = product(rows, key, axis.list())
		}
	}
	var own []map[string]string
	for _, item := range m.get("include").list() {
		values, added := flat("", item), false
		for _, r := range rows {
			agrees := len(axes) > 0 &&
				!slices.ContainsFunc(axes, func(a string) bool { v, ok := values[a]; return ok && v != r[a] })
			if agrees {
				maps.Copy(r, values)
			}
			added = added || agrees
		}
		if !added {
			own = append(own, values)
		}
	}
	if len(axes) > 0 || len(own) == 0 {
		own = append(rows, own...)
	}
	for _, r := range own { // the keys of other rows are empty in this one
		for _, o := range own {
			for k := range o {
				r[k] += ""
			}
		}
	}
	return own
}

func product(rows []map[string]string, key string, items []value) []map[string]string {
	var out []map[string]string
	for _, r := range rows {
		for _, item := range items {
			if len(out) < maxRows {
				next := maps.Clone(r)
				maps.Copy(next, flat(key, item))
				out = append(out, next)
			}
		}
	}
	return out
}

// flat names the scalars in a value: matrix.job.os is "job.os".
func flat(key string, v value) map[string]string {
	if !v.is(yaml.MappingNode) {
		return map[string]string{key: v.text()}
	}
	out := map[string]string{}
	for k, text := range v.pairs() {
		if key != "" {
			k = key + "." + k
		}
		out[k] = text
	}
	return out
}
