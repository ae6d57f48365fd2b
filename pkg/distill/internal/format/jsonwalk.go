package format

import (
	"maps"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// jsonReport walks one document.
type jsonReport struct {
	f      *core.Result
	runner string
	fails  []core.Failure
	warns  []core.Failure
	sums   []core.Total
	// onlyTests is set if its sums count tests and nothing else.
	onlyTests bool
	ran       []core.Ran // the tests, of a report that lists all
	visited   int
	at        int64 // the line at which it begins
}

// jsonScope is what the enclosing objects say about one.
type jsonScope struct {
	file   string
	titles []string
}

// accept reports the contents of a document, and returns whether it was a report.
func (r *jsonReport) accept() bool {
	if len(r.fails) == 0 && len(r.warns) == 0 && len(r.sums) == 0 && len(r.ran) == 0 {
		return false
	}
	for _, x := range r.fails {
		x.At = r.at
		r.f.Fail(x)
	}
	for _, t := range r.ran {
		for i := range t.Failures {
			t.Failures[i].At = r.at
		}
	}
	r.f.Format = r.runner
	sum, nonTests := r.f.File(r.ran)
	r.f.Warnings = append(r.f.Warnings, r.warns...)
	switch {
	case r.onlyTests: // what is no test, or is to do, is not counted in its sums
		r.f.Reported(r.sums[0], 0)
	case len(r.ran) > 0:
		r.f.Reported(sum, nonTests)
	case len(r.sums) > 0:
		r.f.Reported(r.sums[0], 0)
	}
	return true
}

// hasFailures reports whether something failed in the document.
func (r *jsonReport) hasFailures() bool {
	return len(r.fails) > 0 ||
		slices.ContainsFunc(r.ran, func(t core.Ran) bool { return len(t.Failures) > 0 })
}

func (r *jsonReport) walk(v any, c jsonScope, depth int) {
	if r.visited++; r.visited > 500_000 {
		return
	}
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return
		}
		if m, ok := v[len(v)-1].(map[string]any); ok && len(v) == 2 { // ["fail", {...}] of mocha's stream
			if what, ok := v[0].(string); ok && jsonFailed(what) {
				m["state"] = what
			}
		}
		for _, e := range v {
			r.walk(e, c, depth+1)
		}
	case map[string]any:
		r.object(v, c, depth)
	}
}

func (r *jsonReport) object(m map[string]any, c jsonScope, depth int) {
	tag := jsonText(m, tagKey)
	if depth == 0 && tag == "" && isLogEntry(m) {
		return
	}
	if tag != "" && !r.element(m, tag, &c) {
		return
	}
	if s, ok := jsonCounts(m); ok {
		r.sums = append(r.sums, s)
	}
	if file := jsonText(m, "filePath", "file_path", "testFilePath", "filename", "fileName", "file_name",
		"Filename", "file", "path", "uri", "source"); file != "" && len(file) < 1000 &&
		!strings.Contains(file, "\n") {
		c.file = file
	}
	if steps := jsonList(m["steps"]); len(steps) > 0 && steps[len(steps)-1]["result"] != nil {
		r.scenario(m, steps, c)
		return
	}
	if x, ok := r.test(m, c); ok && tag == "" {
		r.fails = append(r.fails, x)
		return
	}
	if x, sev, ok := r.finding(m, c); ok {
		if sev == "warning" || sev == "note" && tag != "" {
			r.warns = append(r.warns, x)
		} else if sev == "error" {
			r.fails = append(r.fails, x)
		}
		return
	}
	if t := jsonText(m, "title", "name"); tag == "" && t != "" && t != c.file &&
		!strings.HasSuffix(c.file, "/"+t) &&
		(m["suites"] != nil || m["specs"] != nil || m["tests"] != nil || m["elements"] != nil) {
		c.titles = append(c.titles[:len(c.titles):len(c.titles)], t)
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		inner := c
		if strings.Contains(k, "/") && sourcePath(k) { // PHPStan: files by name
			inner.file = k
		}
		r.walk(m[k], inner, depth+1)
	}
}

func jsonFailed(s string) bool {
	switch strings.ToLower(s) {
	case "fail", "failed", "failure", "failing", "error", "errored", "broken", "timedout", "timed_out",
		"timeout", "unexpected", "crashed", "interrupted":
		return true
	}
	return false
}

// jsonError finds the object or text with the error.
func jsonError(m map[string]any) (err map[string]any, ok bool) {
	for _, k := range []string{"err", "error", "exception", "failure", "errors", "failures", "call",
		"result"} {
		switch v := m[k].(type) {
		case map[string]any:
			if len(v) > 0 {
				return v, true
			}
		case []any:
			if len(v) > 0 {
				if o, isObj := v[0].(map[string]any); isObj && len(o) > 0 {
					return o, true
				}
			}
		case string:
			if v != "" {
				return map[string]any{"message": v, "stack": jsonText(m, "stack")}, true
			}
		}
	}
	return nil, false
}

// test makes a failure of an object with a title and a state of failure.
func (r *jsonReport) test(m map[string]any, c jsonScope) (core.Failure, bool) {
	name := jsonText(m, "fullName", "fullTitle", "nodeid", "full_name", "title", "name",
		"description", "test")
	if name == "" || m["suites"] != nil || m["specs"] != nil {
		return core.Failure{}, false
	}
	if _, results := m["tests"].([]any); results && m["ok"] == nil {
		return core.Failure{}, false // a suite
	}
	bad, err, has := r.failed(m)
	if !bad || m["messages"] != nil {
		return core.Failure{}, false
	}
	name = titlesOf(m, name, c)
	x := core.Failure{Test: name, Kind: core.KindTest, Runner: r.runner}
	if has {
		r.explain(&x, err)
	}
	if t := jsonText(m, "failureMessage", "longrepr", "stderr"); t != "" &&
		x.Message == "" {
		core.Explain(&x, strings.Split(cleanLines(t), "\n"))
	}
	r.f.PlaceOf(&x)
	if x.File == "" {
		x.File, x.Line = c.file, max(0, jsonNumber(m, "line_number", "line", "lineno"))
		if at, ok := m["location"].(map[string]any); ok && x.Line == 0 {
			x.Line = max(0, jsonNumber(at, "line"))
		}
	}
	return x, true
}

// scenario counts a scenario of Cucumber, and reports its first step that failed.
func (r *jsonReport) scenario(m map[string]any, steps []map[string]any, c jsonScope) {
	if jsonText(m, "type") == "background" {
		return
	}
	skipped := false
	for _, step := range steps {
		result, _ := step["result"].(map[string]any)
		state := jsonText(result, "status")
		skipped = skipped || state == "skipped" || state == "pending"
		if !jsonFailed(state) && state != "undefined" && state != "ambiguous" {
			continue
		}
		said := strings.TrimSpace(jsonText(step, "keyword")) + " " + jsonText(step, "name")
		x := core.Failure{Test: jsonText(m, "name"), Kind: core.KindTest, Runner: "cucumber"}
		body := strings.Split(cleanLines(jsonText(result, "error_message")), "\n")
		if x.Message = ""; strings.TrimSpace(body[0]) == "" {
			x.Message = state + " step: " + said
		}
		core.Explain(&x, body)
		x.Detail = append(x.Detail, "in step: "+said)
		if r.f.PlaceOf(&x); x.File == "" {
			x.File, x.Line = c.file, max(0, jsonNumber(step, "line"))
		}
		r.ran = append(r.ran, core.Ran{Test: testreport.Test{Name: x.Test, Outcome: testreport.Failed},
			Failures: []core.Failure{x}})
		return
	}
	how := testreport.Passed
	if skipped {
		how = testreport.Skipped
	}
	r.ran = append(r.ran, core.Ran{Test: testreport.Test{Name: jsonText(m, "name"), Outcome: how}})
}

// failed reports whether an object is a failed test, and its error.
func (r *jsonReport) failed(m map[string]any) (bad bool, err map[string]any, has bool) {
	state := jsonText(m, "status", "state", "outcome", "conclusion", "verdict")
	if s, isText := m["result"].(string); isText && state == "" {
		state = s
	}
	err, has = jsonError(m)
	if passed, told := m["ok"].(bool); told && !passed {
		err, has = r.deepError(m)
		return true, err, has
	}
	mocha := state == "" && has && (m["fullTitle"] != nil || m["title"] != nil && m["duration"] != nil)
	return jsonFailed(state) || mocha, err, has
}

// titlesOf prefixes a test's name with its groups.
func titlesOf(m map[string]any, name string, c jsonScope) string {
	if m["fullName"] == nil && m["fullTitle"] == nil && len(c.titles) > 0 {
		return strings.Join(append(c.titles[:len(c.titles):len(c.titles)], name), " > ")
	}
	return name
}

// deepError searches an object for the first meaningful error.
func (r *jsonReport) deepError(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if e, ok := jsonError(v); ok && jsonText(e, "message") != "" {
			return e, true
		}
		for _, k := range []string{"tests", "results", "errors"} {
			if e, ok := r.deepError(v[k]); ok {
				return e, true
			}
		}
	case []any:
		for _, e := range v {
			if m, ok := r.deepError(e); ok {
				return m, true
			}
		}
	}
	return nil, false
}

func cleanLines(s string) string {
	if strings.IndexByte(s, 0x1b) >= 0 {
		s = stream.StripANSI(s)
	}
	return strings.ReplaceAll(s, "\r\n", "\n")
}

// explain takes the message, the values, the stack and the place of an error.
func (r *jsonReport) explain(x *core.Failure, err map[string]any) {
	msg := cleanLines(jsonText(err, "message", "error_message", "longrepr", "text"))
	stack := cleanLines(jsonText(err, "stack", "backtrace", "stacktrace", "trace"))
	if class := jsonText(err, "class", "name"); class != "" && !strings.Contains(msg, class) &&
		strings.Contains(class, "Error") {
		msg = class + ": " + strings.TrimLeft(msg, "\n ")
	}
	if msg == "" {
		msg = stack
	}
	core.Explain(x, strings.Split(strings.TrimLeft(msg, "\n"), "\n"))
	if len(x.Frames) == 0 {
		x.Frames = framesIn(strings.Split(stack, "\n"))
	}
	for key, to := range map[string]*string{"expected": &x.Expected, "actual": &x.Actual} {
		if v, ok := err[key].(string); ok && *to == "" {
			*to = v
		}
	}
	if crash, ok := err["crash"].(map[string]any); ok { // pytest-json-report
		x.Message = text.FirstLine(jsonText(crash, "message"))
		x.File, x.Line = jsonText(crash, "path"), max(0, jsonNumber(crash, "lineno"))
	}
}

// framesIn returns the calls of a stack.
func framesIn(stack []string) []core.Frame {
	var frames []core.Frame
	for _, s := range stack {
		if fr, ok := core.ParseFrame(s); ok {
			frames = append(frames, fr)
		}
	}
	return frames
}

// isLogEntry distinguishes a line of a structured log, or an HTTP response printed by a
// test, from a report.
func isLogEntry(m map[string]any) bool {
	return !slices.ContainsFunc(reportKeys, func(k string) bool { return m[k] != nil })
}

// reportKeys are keys of which a report has one.
var reportKeys = []string{"stats", "tests", "suites", "testResults", "examples", "runs", "files",
	"diagnostics", "generalDiagnostics", "results", "reason", "Issues"}
