package config

import (
	"cmp"
	"reflect"
)

// Config is every setting of booty. The yaml names are the contract with the
// user's files.
type Config struct {
	SchemaVersion  int      `yaml:"schema_version,omitempty"`
	SetupCommand   string   `yaml:"setup_command,omitempty"`
	TestCommand    Commands `yaml:"test_command"`
	TestCount      string   `yaml:"test_count,omitempty"`
	Timeout        Duration `yaml:"timeout,omitempty"`
	MaxRetries     int      `yaml:"max_retries,omitempty"`
	RerunCommand   string   `yaml:"rerun_command,omitempty"`
	Gates          []Gate   `yaml:"gates,omitempty"`
	DocsOnly       []string `yaml:"docs_only,omitempty"`
	TestEdits      string   `yaml:"test_edits,omitempty"`
	TestPaths      []string `yaml:"test_paths,omitempty"`
	ProtectedPaths []string `yaml:"protected_paths,omitempty"`
	Limits         Limits   `yaml:"limits,omitempty"`
	Context        Context  `yaml:"context,omitempty"`
	Model          Model    `yaml:"model,omitempty"`
	Budget         Budget   `yaml:"budget,omitempty"`
	Baseline       string   `yaml:"baseline,omitempty"`
	Evidence       Evidence `yaml:"evidence,omitempty"`
	Review         Review   `yaml:"review,omitempty"`
	Candidates     int      `yaml:"candidates,omitempty"`
	Sandbox        Sandbox  `yaml:"sandbox,omitempty"`
	GitHub         GitHub   `yaml:"github,omitempty"`
	Specs          Specs    `yaml:"specs,omitempty"`
}

// Gate is one quality gate, run before the tests.
type Gate struct {
	Name    string `yaml:"name"`
	Command string `yaml:"command"`
	// Timeout is that of the tests where the file gives none.
	Timeout    Duration `yaml:"timeout,omitempty"`
	FixCommand string   `yaml:"fix_command,omitempty"`
}

// Limits bound the size of one proposal.
type Limits struct {
	MaxFilesChanged int `yaml:"max_files_changed,omitempty"`
	MaxDiffLines    int `yaml:"max_diff_lines,omitempty"`
}

// Context says what the model may see and how much of it.
type Context struct {
	MaxTokens   int      `yaml:"max_tokens,omitempty"`
	Include     []string `yaml:"include,omitempty"`
	Exclude     []string `yaml:"exclude,omitempty"`
	Conventions []string `yaml:"conventions,omitempty"`
}

// Model says which model is asked, and how, and which others roles have.
type Model struct {
	RoleModel `yaml:",inline"`
	Roles     Roles `yaml:"roles,omitempty"`
}

// Prices are USD per million tokens; all zero means that none were set.
type Prices struct {
	Input       float64 `yaml:"input,omitempty"`
	Output      float64 `yaml:"output,omitempty"`
	CachedInput float64 `yaml:"cached_input,omitempty"`
	CacheWrite  float64 `yaml:"cache_write,omitempty"`
}

// Roles name another model for a role; see Config.ModelFor.
type Roles struct {
	Quality  RoleModel `yaml:"quality,omitempty"`
	Review   RoleModel `yaml:"review,omitempty"`
	Escalate RoleModel `yaml:"escalate,omitempty"`
}

// RoleModel is one model. What a role leaves empty is taken over from Model.
type RoleModel struct {
	Provider        string   `yaml:"provider,omitempty"`
	Name            string   `yaml:"name,omitempty"`
	BaseURL         string   `yaml:"base_url,omitempty"`
	APIKeyEnv       string   `yaml:"api_key_env,omitempty"`
	EditFormat      string   `yaml:"edit_format,omitempty"`
	MaxOutputTokens int      `yaml:"max_output_tokens,omitempty"`
	Temperature     *float64 `yaml:"temperature,omitempty"`
	ReasoningEffort string   `yaml:"reasoning_effort,omitempty"`
	Command         []string `yaml:"command,omitempty"`
	Prices          Prices   `yaml:"prices,omitempty"`
}

// Budget is the limits of spending; 0 is no limit. A repository's file may not
// set a limit in USD to 0, nor raise one that the user has set.
type Budget struct {
	RunUSD  float64  `yaml:"run_usd,omitempty"`
	DayUSD  float64  `yaml:"day_usd,omitempty"`
	WeekUSD float64  `yaml:"week_usd,omitempty"`
	RunTime Duration `yaml:"run_time,omitempty"`
}

// Evidence is what a run must show of its change.
type Evidence struct {
	Mode string `yaml:"mode,omitempty"`
	// Mutants is how many small changes to its code the tests are asked about.
	Mutants int `yaml:"mutants,omitempty"`
	// FailOn are the verdicts with which booty prove ends with 3.
	FailOn []string `yaml:"fail_on,omitempty"`
}

// Review is how green work is reviewed by a model.
type Review struct {
	Mode string `yaml:"mode,omitempty"`
	// Model is the name of the model that writes a challenge.
	Model string `yaml:"model,omitempty"`
	// Keep commits tests of a challenge that notice what no other test does.
	Keep     bool `yaml:"keep,omitempty"`
	Enabled  bool `yaml:"enabled,omitempty"`
	Blocking bool `yaml:"blocking,omitempty"`
}

// Sandbox bounds what the repository's commands may touch.
type Sandbox struct {
	Mode    string   `yaml:"mode,omitempty"`
	Network bool     `yaml:"network,omitempty"`
	Read    []string `yaml:"read,omitempty"`
	Write   []string `yaml:"write,omitempty"`
	Env     []string `yaml:"env,omitempty"`
}

// GitHub is how issues and pull requests are handled.
type GitHub struct {
	Repo      string   `yaml:"repo,omitempty"`
	Base      string   `yaml:"base,omitempty"`
	Branch    string   `yaml:"branch,omitempty"`
	Labels    []string `yaml:"labels,omitempty"`
	Reviewers []string `yaml:"reviewers,omitempty"`
	AutoMerge bool     `yaml:"auto_merge,omitempty"`
	Comments  string   `yaml:"comments,omitempty"`
	// TrustedBots are the bots whose review comments are worked on.
	TrustedBots []string `yaml:"trusted_bots,omitempty"`
	// Signoff puts a Signed-off-by line below each commit's message.
	Signoff bool `yaml:"signoff,omitempty"`
	// Attribution is where tool and model are named: none, pr, trailer.
	Attribution string `yaml:"attribution,omitempty"`
}

// Specs is the queue of pending specs.
type Specs struct {
	Label       string        `yaml:"label,omitempty"`
	Branch      string        `yaml:"branch,omitempty"`
	Patterns    []SpecPattern `yaml:"patterns,omitempty"`
	MaxAttempts int           `yaml:"max_attempts,omitempty"`
	AutoMerge   bool          `yaml:"auto_merge,omitempty"`
	// Order are globs of the files whose specs come first.
	Order []string `yaml:"order,omitempty"`
	// Wait is how long GitHub may take to merge before the next spec is begun.
	Wait Duration `yaml:"wait,omitempty"`
	// TestCommand runs the file of a spec that the test commands do not run.
	TestCommand string `yaml:"test_command,omitempty"`
}

// SpecPattern is a marker of pending specs of the user's own.
type SpecPattern struct {
	// Files is a glob.
	Files string `yaml:"files"`
	// Pending is a regular expression; its group 1 is the title.
	Pending string `yaml:"pending"`
	// Active replaces the match, as in regexp.Regexp.ReplaceAllString.
	Active string `yaml:"active"`
}

// ModelFor gives the model of a role: Model, with what the role has different.
// A role of another provider takes over nothing that belongs to the first one:
// no name, address, key, command or price.
func (c *Config) ModelFor(role string) RoleModel {
	m, r := c.Model.RoleModel, c.Model.Roles.of(role)
	if r.Provider != "" && r.Provider != m.Provider {
		m = RoleModel{Provider: r.Provider, EditFormat: m.EditFormat, MaxOutputTokens: m.MaxOutputTokens}
	}
	if r.Name != "" && r.Name != m.Name {
		// Prices belong to a model's name.
		m.Name, m.Prices = r.Name, Prices{}
	}
	m.BaseURL, m.APIKeyEnv = cmp.Or(r.BaseURL, m.BaseURL), cmp.Or(r.APIKeyEnv, m.APIKeyEnv)
	m.EditFormat, m.MaxOutputTokens = cmp.Or(r.EditFormat, m.EditFormat),
		cmp.Or(r.MaxOutputTokens, m.MaxOutputTokens)
	m.Temperature, m.ReasoningEffort = cmp.Or(r.Temperature, m.Temperature),
		cmp.Or(r.ReasoningEffort, m.ReasoningEffort)
	m.Prices = cmp.Or(r.Prices, m.Prices)
	if len(r.Command) > 0 {
		m.Command = r.Command
	}
	if name := c.Review.Model; role == RoleChallenge && name != "" && name != m.Name {
		m.Name, m.Prices = name, Prices{}
	}
	return m
}

// RoleChallenge writes tests against a change: with the model of the role review, unless
// review.model names another.
const RoleChallenge = "challenge"

// HasRole reports whether another model was set for the role.
func (c *Config) HasRole(role string) bool {
	if role == RoleChallenge {
		return c.Review.Model != ""
	}
	return !reflect.DeepEqual(c.Model.Roles.of(role), RoleModel{})
}

// of gives what a role has of its own.
func (r Roles) of(role string) RoleModel {
	switch role {
	case "quality", "fix-quality":
		return r.Quality
	case "review", RoleChallenge:
		return r.Review
	case "escalate":
		return r.Escalate
	}
	return RoleModel{}
}
