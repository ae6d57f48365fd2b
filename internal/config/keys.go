package config

import (
	"math"

	"github.com/booty-cli/booty/internal/provider"
)

// key is one row of the table that everything else is made from.
type key struct {
	name string
	// def is the default, of the field's own type; nil is its zero value.
	def any
	doc string
	// field points at the key's place; its type is the key's type.
	field func(*Config) any
	// user says that it may stand in the user's file as well.
	user bool
	flag string
	// env are names obeyed beside BOOTY_ and the key's name.
	env      []string
	enum     []string
	min, max float64
	ranged   bool
	// check says what is wrong with a text, or a text of a list; "" is good.
	check func(string) string
	// needed refuses an empty text.
	needed bool
}

func (k key) scalar() bool {
	switch k.field(new(Config)).(type) {
	case *[]string, *[]Gate, *[]SpecPattern, *RoleModel:
		return false
	}
	return true
}

func (k *key) between(lo, hi float64) *key { k.min, k.max, k.ranged = lo, hi, true; return k }
func (k *key) oneOf(v ...string) *key      { k.enum = v; return k }

// alsoInUser lets a key stand in the user file as well.
func (k *key) alsoInUser() *key           { k.user = true; return k }
func (k *key) byFlag(name string) *key    { k.flag = name; return k }
func (k *key) byEnv(names ...string) *key { k.env = names; return k }
func (k *key) checked(f func(string) string) *key {
	k.check = f
	return k
}

const (
	second = float64(1e9)
	minute = 60 * second
	hour   = 60 * minute
	many   = 1e9
)

var editFormats = []string{"auto", "whole", "search-replace"}

// newKey is not inlined: the table would hold its code a hundred times.
//
//go:noinline
func newKey(name string, field func(*Config) any, def any, doc string) *key {
	return &key{name: name, field: field, def: def, doc: doc}
}

// keys lists every key in the order of the contract.
func keys() []key {
	var t []key
	for _, section := range [][]*key{checkKeys(), requestKeys(), modelKeys(), budgetKeys(), proofKeys(),
		sandboxKeys(),
		githubKeys(), specsKeys()} {
		for _, k := range section {
			t = append(t, *k)
		}
	}
	return t
}

// checkKeys are the keys of what is run, and what may be changed.
func checkKeys() []*key {
	k := newKey
	return []*key{
		k("schema_version", func(c *Config) any { return &c.SchemaVersion }, 1,
			"version of the file format").alsoInUser().between(1, 1),
		k("setup_command", func(c *Config) any { return &c.SetupCommand }, "",
			"prepares the work tree, such as `npm ci`; runs before the first attempt"),
		{name: "test_command", field: func(c *Config) any { return &c.TestCommand },
			needed: true,
			doc:    "runs the whole test suite; exit code 0 means that it passed. Required. All commands of a list run, even after one failed"},
		k("test_count", func(c *Config) any { return &c.TestCount }, "require",
			"`require`: a passing test command must report how many tests ran (in its output or as JUnit XML), or be seen to fail with a wrong expectation; `off`: its exit code is believed").
			oneOf("require", "off"),
		k("timeout", func(c *Config) any { return &c.Timeout }, Duration(5*minute),
			"time limit of one test run").byFlag("timeout").between(10*second, hour),
		k("max_retries", func(c *Config) any { return &c.MaxRetries }, 3, "maximum number of attempts").
			byFlag("max-retries").between(1, 10),
		k("rerun_command", func(c *Config) any { return &c.RerunCommand }, "",
			"reruns only the failed tests; may use `{{.Files}}`, `{{.Tests}}` and `{{.Pattern}}`").
			checked(checkRerun),
		k("gates", func(c *Config) any { return &c.Gates }, nil,
			"quality gates, run in order before the tests, each with `name`, `command`, `fix_command`, `timeout`"),
		k("docs_only", func(c *Config) any { return &c.DocsOnly },
			// Not all of doc: some projects have a package of that name.
			[]string{"**/*.md", "**/*.rst", "**/*.adoc", "docs/**", "doc/**/*.txt", "LICENSE"},
			"globs of documentation; changing only these needs no tests").checked(checkGlob),
		k("test_edits", func(c *Config) any { return &c.TestEdits }, "judge",
			"changes to tests: `judge` also runs the old tests on the new code, `deny` drops edits to old test files, `allow` accepts them").
			oneOf("judge", "deny", "allow").byFlag("test-edits"),
		k("test_paths", func(c *Config) any { return &c.TestPaths }, nil,
			"globs of test files, in addition to each language's conventions").checked(checkGlob),
		k("protected_paths", func(c *Config) any { return &c.ProtectedPaths },
			[]string{".github/workflows/**", ".env", ".env.*", "**/secrets.*", "Dockerfile",
				"docker-compose*.yml"}, "globs of files the model may not change").checked(checkGlob),
	}
}

// requestKeys are the keys of what is asked of the model.
func requestKeys() []*key {
	k := newKey
	return []*key{
		k("limits.max_files_changed", func(c *Config) any { return &c.Limits.MaxFilesChanged }, 30,
			"maximum number of files in a proposal").between(1, many),
		k("limits.max_diff_lines", func(c *Config) any { return &c.Limits.MaxDiffLines }, 1500,
			"maximum number of added and removed lines in a proposal").between(1, many),
		k("context.max_tokens", func(c *Config) any { return &c.Context.MaxTokens }, 60000,
			"maximum tokens of a request").between(1000, 10e6),
		k("context.include", func(c *Config) any { return &c.Context.Include }, nil,
			"globs of files always shown to the model").checked(checkGlob),
		k("context.exclude", func(c *Config) any { return &c.Context.Exclude },
			[]string{"**/vendor/**", "**/*.lock"},
			"globs of files never shown to the model").checked(checkGlob),
		k("context.conventions", func(c *Config) any { return &c.Context.Conventions },
			[]string{"AGENTS.md", "CONTRIBUTING.md"},
			"files with the project's rules, shown to the model if they exist").
			checked(checkGlob),
	}
}

// budgetKeys are the keys of what is recorded and spent.
func budgetKeys() []*key {
	k := newKey
	money := func(name, flag string, field func(*Config) any, def float64, doc string) *key {
		return k(name, field, def, doc).alsoInUser().byFlag(flag).between(0, many)
	}
	return []*key{
		money("budget.run_usd", "budget", func(c *Config) any { return &c.Budget.RunUSD }, 5,
			"spending limit of a run; 0 is no limit").byEnv("BOOTY_BUDGET"),
		money("budget.day_usd", "", func(c *Config) any { return &c.Budget.DayUSD }, 100,
			"spending limit of all runs in 24 hours"),
		money("budget.week_usd", "", func(c *Config) any { return &c.Budget.WeekUSD }, 500,
			"spending limit of all runs in 7 days"),
		k("budget.run_time", func(c *Config) any { return &c.Budget.RunTime }, Duration(0),
			"time limit of a run, including its draft; 0 is no limit").alsoInUser().between(0, 7*24*hour),
	}
}

// proofKeys are the keys of what green work has to show.
func proofKeys() []*key {
	k := newKey
	return []*key{
		k("baseline", func(c *Config) any { return &c.Baseline }, "no_new_failures",
			"when a run is green: `no_new_failures` (old failures may remain) or `all_green`").
			oneOf("no_new_failures", "all_green"),
		k("evidence.mode", func(c *Config) any { return &c.Evidence.Mode }, "auto",
			"whether new tests must fail without the change: `auto` checks and reports, `require` insists, `off`; short form `evidence: require`").
			oneOf("auto", "require", "off").byEnv("BOOTY_EVIDENCE"),
		k("evidence.mutants", func(c *Config) any { return &c.Evidence.Mutants }, 0,
			"number of small changes (mutants) to try on green work; tests should notice each").
			between(0, 100),
		k("evidence.fail_on", func(c *Config) any { return &c.Evidence.FailOn },
			[]string{"weakened", "failing", "not_shown", "caught"},
			"verdicts with which `booty prove` ends with 3: `weakened`, `failing`, `not_shown`, `caught`, `changed`, `partly`").
			checked(checkVerdict),
		k("review.mode", func(c *Config) any { return &c.Review.Mode }, "auto",
			"how a model reviews green work: `tests` writes tests against it without seeing it, `read` reads it, `off`; `auto`: `tests` before an auto-merge, and for work without evidence").
			oneOf("auto", "tests", "read", "off"),
		k("review.model", func(c *Config) any { return &c.Review.Model }, "",
			"model that writes the tests of a challenge; empty: that of `model.roles.review`, or `model`"),
		k("review.keep", func(c *Config) any { return &c.Review.Keep }, false,
			"commit the tests of a challenge that notice a small change to the code which no other test does; tries 10 if `evidence.mutants` sets none"),
		k("review.enabled", func(c *Config) any { return &c.Review.Enabled }, false,
			"the older form: `true` is `mode: read`, `false` in the file is `mode: off`").
			byFlag("review"),
		k("review.blocking", func(c *Config) any { return &c.Review.Blocking }, false,
			"BLOCKED by the reviewer makes the pull request a draft"),
		k("candidates", func(c *Config) any { return &c.Candidates }, 1,
			"proposals to ask for at once; the first green one wins").byFlag("candidates").between(1, 8),
	}
}

// sandboxKeys are the keys of what checks may touch.
func sandboxKeys() []*key {
	k := newKey
	return []*key{
		k("sandbox.mode", func(c *Config) any { return &c.Sandbox.Mode }, "auto",
			"`auto` uses what the system offers, `require` fails without a sandbox, `off` (in a repository's file: needs consent)").
			alsoInUser().oneOf("auto", "require", "off"),
		k("sandbox.network", func(c *Config) any { return &c.Sandbox.Network }, true,
			"whether checks may use the network").alsoInUser(),
		k("sandbox.read", func(c *Config) any { return &c.Sandbox.Read }, nil,
			"more paths below your home directory that checks may read (in a repository's file: needs consent)").
			alsoInUser().checked(checkNotEmpty),
		k("sandbox.write", func(c *Config) any { return &c.Sandbox.Write }, nil,
			"more paths that checks may write, outside the work tree or `.git` (in a repository's file: needs consent)").
			alsoInUser().checked(checkNotEmpty),
		k("sandbox.env", func(c *Config) any { return &c.Sandbox.Env }, nil,
			"variables passed to the checks although they look secret (in a repository's file: needs consent)").
			alsoInUser().checked(checkEnvName),
	}
}

// githubKeys are the keys of issues and pull requests.
func githubKeys() []*key {
	k := newKey
	return []*key{
		k("github.repo", func(c *Config) any { return &c.GitHub.Repo }, "",
			"`owner/name` or `host/owner/name`; empty: the remote").byEnv("GH_REPO").checked(checkRepo),
		k("github.base", func(c *Config) any { return &c.GitHub.Base }, "",
			"target branch of pull requests; empty: the default branch").byFlag("base").checked(checkRef),
		k("github.branch", func(c *Config) any { return &c.GitHub.Branch }, "booty/issue-{{.Number}}",
			"branch of an issue; may use `{{.Number}}`, `{{.Slug}}` and `{{.Run}}`").
			byFlag("branch").checked(checkBranch),
		k("github.labels", func(c *Config) any { return &c.GitHub.Labels }, []string{"booty"},
			"labels of booty's pull requests").checked(checkNotEmpty),
		k("github.reviewers", func(c *Config) any { return &c.GitHub.Reviewers }, nil,
			"people or teams to ask for a review").checked(checkNotEmpty),
		k("github.auto_merge", func(c *Config) any { return &c.GitHub.AutoMerge }, false,
			"squash-merge an issue's pull request once its checks pass"),
		k("github.comments", func(c *Config) any { return &c.GitHub.Comments }, "collaborators",
			"whose comments on an issue the model sees: `collaborators` (write access) or `none`").
			oneOf("collaborators", "none"),
		k("github.trusted_bots", func(c *Config) any { return &c.GitHub.TrustedBots }, nil,
			"bots whose review comments `run --pr` works on, such as `coderabbitai`").checked(checkNotEmpty),
		k("github.signoff", func(c *Config) any { return &c.GitHub.Signoff }, false,
			"add `Signed-off-by` to commits (DCO)"),
		k("github.attribution", func(c *Config) any { return &c.GitHub.Attribution }, "pr",
			"where to name tool and model: in the `pr`, in a commit `trailer` (`Assisted-by`), or `none`").
			oneOf("none", "pr", "trailer"),
	}
}

// specsKeys are the keys of the queue.
func specsKeys() []*key {
	k := newKey
	return []*key{
		k("specs.label", func(c *Config) any { return &c.Specs.Label }, "tdd-automation",
			"label of the queue's pull requests").checked(checkNotEmpty),
		k("specs.branch", func(c *Config) any { return &c.Specs.Branch }, "tdd/{{.ID}}",
			"branch of a spec; may use `{{.ID}}`").checked(checkSpecBranch),
		k("specs.patterns", func(c *Config) any { return &c.Specs.Patterns }, nil,
			"custom markers: `files` (glob), `pending` (regular expression, group 1 is the title), `active` (replacement)"),
		k("specs.max_attempts", func(c *Config) any { return &c.Specs.MaxAttempts }, 5,
			"maximum number of attempts for a spec, over all runs").between(1, 100),
		k("specs.auto_merge", func(c *Config) any { return &c.Specs.AutoMerge }, true,
			"squash-merge a spec's pull request once its checks pass"),
		k("specs.order", func(c *Config) any { return &c.Specs.Order }, nil,
			"globs of files whose specs come first, in this order; then priority, path and position decide").
			checked(checkGlob),
		k("specs.wait", func(c *Config) any { return &c.Specs.Wait }, Duration(10*minute),
			"how long the next spec waits for GitHub to merge the last one").
			between(0, 24*hour),
		k("specs.test_command", func(c *Config) any { return &c.Specs.TestCommand }, "",
			"runs the current spec's file, `{{.File}}`, if `test_command` leaves it out").
			checked(checkSpecTest),
	}
}

func modelKeys() []*key {
	k := newKey
	price := func(name string, field func(*Config) any, doc string) *key {
		return k("model.prices."+name, field, float64(0), doc).alsoInUser().between(0, 1e6)
	}
	rows := []*key{
		k("model.provider", func(c *Config) any { return &c.Model.Provider }, "auto",
			"`auto` picks by the keys that are set").byFlag("provider").byEnv("BOOTY_PROVIDER").
			oneOf(provider.Names()...),
		k("model.name", func(c *Config) any { return &c.Model.Name }, "",
			"model; empty: the provider's default").
			byFlag("model").byEnv("BOOTY_MODEL"),
		k("model.base_url", func(c *Config) any { return &c.Model.BaseURL }, "",
			"OpenAI-compatible endpoint (in a repository's file: needs consent)").byFlag("base-url").
			byEnv("BOOTY_BASE_URL", "OPENAI_BASE_URL").checked(checkURL),
		k("model.api_key_env", func(c *Config) any { return &c.Model.APIKeyEnv }, "",
			"variable that holds the key; empty: the provider's own (in a repository's file: needs consent)").
			checked(checkEnvName),
		k("model.edit_format", func(c *Config) any { return &c.Model.EditFormat }, "auto",
			"edit format to ask the model for").oneOf(editFormats...),
		k("model.max_output_tokens", func(c *Config) any { return &c.Model.MaxOutputTokens }, 16000,
			"maximum tokens of a reply").between(1, 10e6),
		k("model.temperature", func(c *Config) any { return &c.Model.Temperature }, nil, "empty: not sent").
			between(0, 2),
		k("model.reasoning_effort", func(c *Config) any { return &c.Model.ReasoningEffort }, "",
			"sent as is, such as `low` or `high`; empty: not sent"),
		k("model.command", func(c *Config) any { return &c.Model.Command }, nil,
			"program and arguments for the providers `exec` and `agent` (in a repository's file: needs consent)"),
	}
	for _, r := range rows {
		r.alsoInUser()
	}
	rows = append(rows,
		price("input", func(c *Config) any { return &c.Model.Prices.Input },
			"USD per million tokens; if all prices are 0, the built-in table counts"),
		price("output", func(c *Config) any { return &c.Model.Prices.Output }, "USD per million tokens"),
		price("cached_input", func(c *Config) any { return &c.Model.Prices.CachedInput },
			"USD per million tokens; 0: the price of input"),
		price("cache_write", func(c *Config) any { return &c.Model.Prices.CacheWrite },
			"USD per million tokens written to the prompt cache; 0: 1.25 times the price of input"))
	for _, r := range []struct {
		name  string
		field func(*Config) any
		doc   string
	}{
		{"quality", func(c *Config) any { return &c.Model.Roles.Quality },
			"another model if only gates fail; keys as in `model`"},
		{"review", func(c *Config) any { return &c.Model.Roles.Review }, "another model for the review"},
		{"escalate", func(c *Config) any { return &c.Model.Roles.Escalate },
			"a stronger model if the first one is stuck"},
	} {
		rows = append(rows, k("model.roles."+r.name, r.field, nil, r.doc).alsoInUser())
	}
	return rows
}

// inRange reports whether v lies in the key's range.
func (k key) inRange(v float64) bool {
	return !k.ranged || (!math.IsNaN(v) && v >= k.min && v <= k.max)
}

// removedKeys were settings once: a file that has one is told why, and works.
var removedKeys = map[string]string{
	"budget.warn_percent":   "booty warns once at 80 % of a limit",
	"checkpoint":            "untracked files above 50 MB are not recorded, and never changed",
	"context.first":         "booty chooses how many files a request shows, up to context.max_tokens",
	"github.progress":       "booty comments on an issue when a run fails for good, and links the draft",
	"limits.max_file_lines": "limits.max_diff_lines bounds what a file may grow by",
	"model.prices.call":     "a call of an agent that does not report its cost counts $1",
	"refactor":              "booty leaves green work as it is",
	"ui":                    "a terminal gets color and live progress, a pipe neither; NO_COLOR, --no-color and -q say no",
	"work_tree":             "booty always works in a tree of its own",
}
