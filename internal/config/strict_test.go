package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/provider"
)

func TestStrictErrors(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"a slip of the pen", "tset_command: go test\n", `.booty.yml:1: unknown key "tset_command"; did you mean "test_command"?`},
		{"a slip in a section", "test_command: x\nlimits:\n  max_diff_line: 3\n", `.booty.yml:3: unknown key "limits.max_diff_line"; did you mean "limits.max_diff_lines"?`},
		{"a key of a section at the top", "test_command: x\nrun_usd: 3\n", `.booty.yml:2: unknown key "run_usd"; did you mean "budget.run_usd"?`},
		{"a key of another section", "test_command: x\nreview: {network: true}\n", `.booty.yml:2: unknown key "review.network"; did you mean "sandbox.network"?`},
		{"a key like none", "test_command: x\nfrobnicate: 3\n", `.booty.yml:2: unknown key "frobnicate"`},
		{"a key of a gate", "test_command: x\ngates:\n  - name: a\n    cmd: b\n", `.booty.yml:3: gates[0]: "command" is missing
.booty.yml:4: unknown key "gates[0].cmd"`},
		{"all problems at once, in the order of lines", "timeout: 2h\ntest_command: x\nmax_retries: many\nevidence: maybe\n", `.booty.yml:1: timeout: 2h is out of range: 10s to 1h
.booty.yml:3: max_retries: want a whole number, got "many"
.booty.yml:4: evidence.mode: "maybe" is not one of auto, require, off`},
		{"nothing to run", "max_retries: 3\n", ".booty.yml: test_command is missing: it is the one key that must be there"},
		{"an empty file", "# nothing\n", ".booty.yml: test_command is missing: it is the one key that must be there"},
		{"an empty test command", "test_command: ' '\n", ".booty.yml:1: test_command: must not be empty"},
		{"a test command of null", "test_command:\n", ".booty.yml: test_command is missing: it is the one key that must be there"},
		{"a list for text", "test_command: x\nsetup_command: [npm, ci]\n", ".booty.yml:2: setup_command: want text, got a list"},
		{"no test command in the list", "test_command: []\n", ".booty.yml:1: test_command: must not be empty"},
		{"an empty test command in the list", "test_command:\n  - go test\n  - ' '\n", ".booty.yml:3: test_command[1]: must not be empty"},
		{"a list in the list", "test_command: [[go, test]]\n", ".booty.yml:1: test_command[0]: want text, got a list"},
		{"text for a list", "test_command: x\ndocs_only: docs\n", `.booty.yml:2: docs_only: want a list, got "docs"`},
		{"a command line for its words", "test_command: x\nmodel: {command: \"sh x\"}\n", `.booty.yml:2: model.command: want a list, got "sh x"`},
		{"commands for gates", "test_command: x\ngates:\n  - make lint\n  - npx tsc --noEmit\n", `.booty.yml:3: gates[0]: want keys and values, got "make lint"; its keys are name, command, timeout, fix_command
.booty.yml:4: gates[1]: want keys and values, got "npx tsc --noEmit"; its keys are name, command, timeout, fix_command`},
		{"a command for the gates", "test_command: x\ngates: make lint\n", `.booty.yml:2: gates: want a list, each with the keys name, command, timeout, fix_command, got "make lint"`},
		{"a byte of another encoding", "test_command: x\n# fine: \u00e9\nsetup_command: caf\xe9\n", ".booty.yml:3: the byte 0xe9 is not UTF-8: save the file in that encoding"},
		{"text for a section of numbers", "test_command: x\nlimits: many\n", `.booty.yml:2: limits: want keys and values, got "many"; its keys are max_files_changed, max_diff_lines`},
		{"a number for a section of numbers", "test_command: x\nlimits: 300\n", `.booty.yml:2: limits: want keys and values, got "300"; its keys are max_files_changed, max_diff_lines`},
		{"text for a section", "test_command: x\nmodel: gpt\n", `.booty.yml:2: model: want keys and values, got "gpt"; its keys are provider, name, base_url, api_key_env, edit_format, max_output_tokens, temperature, reasoning_effort, command, prices, roles`},
		{"a quoted number", "test_command: x\nmax_retries: '3'\n", `.booty.yml:2: max_retries: want a whole number, got "3"`},
		{"a broken number", "test_command: x\nmax_retries: 1.5\n", `.booty.yml:2: max_retries: want a whole number, got "1.5"`},
		{"text for a truth", "test_command: x\nreview: {enabled: maybe}\n", `.booty.yml:2: review.enabled: want true or false, got "maybe"`},
		{"a number for a truth", "test_command: x\nreview: {enabled: 1}\n", `.booty.yml:2: review.enabled: want true or false, got "1"`},
		{"not a number", "test_command: x\nmodel: {temperature: .nan}\n", `.booty.yml:2: model.temperature: want a number, got ".nan"`},
		{"too few attempts", "test_command: x\nmax_retries: 0\n", ".booty.yml:2: max_retries: 0 is out of range: 1 to 10"},
		{"too many attempts", "test_command: x\nmax_retries: 11\n", ".booty.yml:2: max_retries: 11 is out of range: 1 to 10"},
		{"a timeout too short", "test_command: x\ntimeout: 9s\n", ".booty.yml:2: timeout: 9s is out of range: 10s to 1h"},
		{"a timeout in seconds too long", "test_command: x\ntimeout: 3601\n", ".booty.yml:2: timeout: 1h0m1s is out of range: 10s to 1h"},
		{"no timeout at all", "test_command: x\ntimeout: soon\n", `.booty.yml:2: timeout: "soon" is not a duration: write "90s", "5m" or a number of seconds`},
		{"a gate's timeout", "test_command: x\ngates:\n  - {name: a, command: b, timeout: 2h}\n", ".booty.yml:3: gates[0].timeout: 2h is out of range: 1s to 1h"},
		{"an empty gate", "test_command: x\ngates:\n  - {name: a, command: ''}\n", ".booty.yml:3: gates[0].command: must not be empty"},
		{"a gate of null", "test_command: x\ngates:\n  -\n", ".booty.yml:3: gates[0]: is empty"},
		{"two gates of one name", "test_command: x\ngates:\n  - {name: a, command: b}\n  - {name: a, command: c}\n", `.booty.yml:4: gates: the name "a" is there twice`},
		{"more than all", "test_command: x\nevidence: {mutants: 101}\n", ".booty.yml:2: evidence.mutants: 101 is out of range: 0 to 100"},
		{"a negative budget", "test_command: x\nbudget: {day_usd: -1}\n", ".booty.yml:2: budget.day_usd: -1 is too small: at least 0"},
		{"a repository that lifts the limit", "test_command: x\nbudget: {day_usd: 0}\n", ".booty.yml:2: budget.day_usd: 0 is no limit, which only the user's own file may say"},
		{"a hot model", "test_command: x\nmodel: {temperature: 3}\n", ".booty.yml:2: model.temperature: 3 is out of range: 0 to 2"},
		{"no candidates", "test_command: x\ncandidates: 0\n", ".booty.yml:2: candidates: 0 is out of range: 1 to 8"},
		{"an unknown provider", "test_command: x\nmodel: {provider: opneai}\n", `.booty.yml:2: model.provider: "opneai" is not one of ` + strings.Join(provider.Names(), ", ") + `; did you mean "openai"?`},
		{"another form of the file", "schema_version: 2\ntest_command: x\n", ".booty.yml:1: schema_version: 2 is not known to this booty; 1 is"},
		{"a second document", "test_command: x\n---\ntest_command: y\n", ".booty.yml:2: a second document begins here; only one is read"},
		{"a key twice", "test_command: x\nmax_retries: 2\ntest_command: y\n", `.booty.yml:3: key "test_command" is already there in line 1`},
		{"a key twice in a section", "test_command: x\nmodel:\n  name: a\n  name: b\n", `.booty.yml:4: key "name" is already there in line 3`},
		{"a bad glob", "test_command: x\nprotected_paths:\n  - ok/**\n  - '[a'\n", `.booty.yml:4: protected_paths[1]: bad glob "[a"`},
		{"a glob from the root of the disk", "test_command: x\ndocs_only: [/docs]\n", `.booty.yml:2: docs_only[0]: bad glob "/docs": globs are relative to the repository root`},
		{"a glob with an exclamation mark", "test_command: x\ndocs_only: ['!docs']\n", `.booty.yml:2: docs_only[0]: bad glob "!docs": a leading ! is not understood`},
		{"a bad branch template", "test_command: x\ngithub: {branch: 'x/{{.Nubmer}}'}\n", ".booty.yml:2: github.branch: bad template: {{.Nubmer}} is unknown; there are {{.Number}}, {{.ID}}, {{.Slug}} and {{.Run}}"},
		{"a broken branch template", "test_command: x\ngithub: {branch: 'x/{{.Number'}\n", ".booty.yml:2: github.branch: bad template: a {{ is not closed, or not one of {{.Number}}, {{.ID}}, {{.Slug}} and {{.Run}}"},
		{"a branch that git refuses", "test_command: x\ngithub: {branch: 'a b/{{.Number}}'}\n", `.booty.yml:2: github.branch: "a b/42" is not a branch name that git accepts`},
		{"one branch for all specs", "test_command: x\nspecs: {branch: tdd}\n", ".booty.yml:2: specs.branch: must hold {{.ID}}: each spec needs a branch of its own"},
		{"a bad rerun command", "test_command: x\nrerun_command: t {{.Fiels}}\n", ".booty.yml:2: rerun_command: bad template: {{.Fiels}} is unknown; there are {{.Files}}, {{.Tests}} and {{.Pattern}}"},
		{"a rerun command of everything", "test_command: x\nrerun_command: go test ./...\n", ".booty.yml:2: rerun_command: bad template: needs one of {{.Files}}, {{.Tests}} and {{.Pattern}}"},
		{"a broken rerun command", "test_command: x\nrerun_command: 't {{.Files}} {{.Pat'\n", ".booty.yml:2: rerun_command: bad template: a {{ is not closed, or not one of {{.Files}}, {{.Tests}} and {{.Pattern}}"},
		{"an address without a scheme", "test_command: x\nmodel: {base_url: 'localhost:8080'}\n", ".booty.yml:2: model.base_url: must begin with https:// or http:// and name a host"},
		{"an address with a password", "test_command: x\nmodel: {base_url: 'https://u:p@h/v1'}\n", ".booty.yml:2: model.base_url: must not hold a user name or password: keys belong in the variable that api_key_env names"},
		{"a key where its variable belongs", "test_command: x\nmodel: {api_key_env: sk-abcdef}\n", ".booty.yml:2: model.api_key_env: this looks like a key itself: put the key into a variable and its name here"},
		{"a role's address", "test_command: x\nmodel:\n  roles:\n    review: {base_url: nowhere, nmae: x}\n", `.booty.yml:4: model.roles.review.base_url: must begin with https:// or http:// and name a host
.booty.yml:4: unknown key "model.roles.review.nmae"; did you mean "model.roles.review.name"?`},
		{"an unknown role", "test_command: x\nmodel: {roles: {reveiw: {}}}\n", `.booty.yml:2: unknown key "model.roles.reveiw"; did you mean "model.roles.review"?`},
		{"a command for all specs at once", "test_command: x\nspecs: {test_command: npx playwright test}\n", ".booty.yml:2: specs.test_command: must hold {{.File}}, the file of the spec; what runs all tests belongs into test_command"},
		{"a spec pattern without a group", "test_command: x\nspecs:\n  patterns:\n    - {files: '*.go', pending: 'SKIP', active: ''}\n", ".booty.yml:4: specs.patterns[0].pending: needs a group: its group 1 is the title"},
		{"a spec pattern that is no pattern", "test_command: x\nspecs:\n  patterns:\n    - files: '[x'\n      pending: '(a'\n", `.booty.yml:4: specs.patterns[0]: "active" is missing
.booty.yml:4: specs.patterns[0].files: bad glob "[x"
.booty.yml:5: specs.patterns[0].pending: bad regular expression: missing closing ): ` + "`(a`"},
		{"a repository without an owner", "test_command: x\ngithub: {repo: booty}\n", `.booty.yml:2: github.repo: "booty" is not owner/name`},
		{"no YAML at all", "test_command: x\n\tmax_retries: 3\n", ".booty.yml:2: found a tab character that violates indentation"},
		{"a colon too many", "test_command: echo a: b\n", ".booty.yml:1: mapping values are not allowed in this context"},
		{"a list at the top", "- test_command\n", ".booty.yml:1: want keys and values, got a list"},
		{"a word at the top", "go test\n", `.booty.yml:1: want keys and values, got "go test"`},
		{"a key that is no word", "test_command: x\n[a]: b\n", ".booty.yml:2: a key must be a plain word"},
		{"a value in base64", "test_command: !!binary aGk=\n", ".booty.yml:1: test_command: the tag !!binary is not understood"},
		{"a tag of someone's own", "test_command: x\nmodel: !ours {name: a}\n", ".booty.yml:2: model: the tag !ours is not understood"},
		{"an alias to nowhere", "test_command: *x\n", ".booty.yml:1: unknown anchor 'x' referenced"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := layers{project: c.text}.load(t)
			wantKind(t, err, fault.Usage)
			if diff := cmp.Diff(err.Error(), c.want); diff != "" {
				t.Errorf("(- got, + want)\n%s", diff)
			}
		})
	}
}

func TestAWordForEvidenceIsItsMode(t *testing.T) {
	if l := (layers{project: "test_command: x\nevidence: require\n"}).mustLoad(t); l.Evidence.Mode != "require" {
		t.Errorf("got %+v", l.Evidence)
	}
}

func TestUserFileHoldsThreeSections(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"a command", "test_command: x\n", `key "test_command" may not stand in the user's file; only model, budget and sandbox may`},
		{"a section", "model: {name: a}\ngithub: {repo: a/b}\n", `key "github" may not stand`},
		{"gates", "gates: [{name: a, command: b}]\n", `key "gates" may not stand`},
		{"a slip", "budget: {run_us: 1}\n", `unknown key "budget.run_us"; did you mean "budget.run_usd"?`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := layers{project: "test_command: x\n", user: c.text}.load(t)
			wantKind(t, err, fault.Usage)
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "user.yml:") {
				t.Errorf("got %v, want %q with the file's name and line", err, c.want)
			}
		})
	}
	l := layers{project: "test_command: x\n", user: "schema_version: 1\nmodel: {name: a}\nbudget: {day_usd: 1}\nsandbox: {mode: require, write: [/tmp/x]}\n"}.mustLoad(t)
	if l.Model.Name != "a" || l.Budget.DayUSD != 1 || l.Sandbox.Mode != "require" || len(l.Sandbox.Write) != 1 {
		t.Errorf("got %+v", l.Config)
	}
}

func TestReportsProblemsOfBothFiles(t *testing.T) {
	_, err := layers{project: "tset_command: x\n", user: "modle: {}\n"}.load(t)
	if err == nil || !strings.Contains(err.Error(), "test_command") || !strings.Contains(err.Error(), `did you mean "model"`) {
		t.Errorf("got %v", err)
	}
}

func TestBadFlagsAndVariablesAreNamed(t *testing.T) {
	_, err := layers{
		project: "test_command: x\n", args: []string{"--max-retries=50", "--provider=nobody"},
		env: map[string]string{"BOOTY_TIMEOUT": "soon", "BOOTY_REVIEW_ENABLED": "maybe", "BOOTY_BUDGET_DAY_USD": "NaN"},
	}.load(t)
	wantKind(t, err, fault.Usage)
	for _, want := range []string{
		"--max-retries: 50 is out of range: 1 to 10", `--provider: "nobody" is not one of`, `$BOOTY_TIMEOUT: "soon" is not a duration`,
		`$BOOTY_REVIEW_ENABLED: want true or false, got "maybe"`, `$BOOTY_BUDGET_DAY_USD: want a number, got "NaN"`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want a line with %q", err, want)
		}
	}
}

func TestMissingFileNamesInitAsTheWayOut(t *testing.T) {
	_, err := layers{}.load(t)
	wantKind(t, err, fault.Usage)
	if !strings.Contains(fault.HintOf(err), "booty init") || !strings.Contains(err.Error(), ".booty.yml") {
		t.Errorf("got %v, hint %q", err, fault.HintOf(err))
	}
	if l, err := (layers{optional: true}).load(t); err != nil || l.MaxRetries != 3 || l.Path != "" {
		t.Errorf("without need of it: %+v, %v", l, err)
	}
}

func TestEitherNameButNotBoth(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, ".booty.yaml"), "test_command: x\n")
	o := LoadOptions{Root: root, UserFile: filepath.Join(root, "none"), Getenv: func(string) string { return "" }, RequireProject: true}
	l, err := Load(o)
	if err != nil || l.Origins["test_command"].File != ".booty.yaml" {
		t.Fatalf("got %v, %v", l, err)
	}
	write(t, filepath.Join(root, ".booty.yml"), "test_command: x\n")
	_, err = Load(o)
	wantKind(t, err, fault.Usage)
	if err := os.Remove(filepath.Join(root, ".booty.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, ".booty.yml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, ".booty.yml"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = Load(o)
	wantKind(t, err, fault.Usage)
}

func TestToleratedForms(t *testing.T) {
	cases := []struct {
		name, text string
		look       func(*Loaded) any
		want       any
	}{
		{"a command that YAML takes for a truth", "test_command: true\n", func(l *Loaded) any { return l.TestCommand.String() }, "true"},
		{"off needs no quotes", "test_command: x\nevidence: off\n", func(l *Loaded) any { return l.Evidence.Mode }, "off"},
		{"evidence in full", "test_command: x\nevidence: {mode: require, mutants: 7}\n", func(l *Loaded) any { return l.Evidence }, Evidence{"require", 7, []string{"weakened", "failing", "not_shown", "caught"}}},
		{"yes and no", "test_command: x\nreview: {enabled: yes}\n", func(l *Loaded) any { return l.Review.Enabled }, true},
		{"a byte order mark and CRLF", "\ufefftest_command: x\r\nmax_retries: 4\r\n", func(l *Loaded) any { return l.MaxRetries }, 4},
		{"an anchor and its alias", "test_command: x\ndocs_only: &d [a]\ntest_paths: *d\n", func(l *Loaded) any { return l.TestPaths }, []string{"a"}},
		{"a merged mapping", "test_command: x\nmodel:\n  roles:\n    quality: &m {name: q}\n    review: {<<: *m, edit_format: whole}\n", func(l *Loaded) any { return l.Model.Roles.Review }, RoleModel{Name: "q", EditFormat: "whole"}},
		{"an empty list overrides the default", "test_command: x\nprotected_paths: []\n", func(l *Loaded) any { return len(l.ProtectedPaths) }, 0},
		{"null is a key left out", "test_command: x\nmax_retries: ~\nmodel:\nprotected_paths:\n", func(l *Loaded) any { return []int{l.MaxRetries, len(l.ProtectedPaths)} }, []int{3, 6}},
		{"a script of several lines", "test_command: |\n  a\n  b\n", func(l *Loaded) any { return l.TestCommand.String() }, "a\nb\n"},
		{"a list of test commands", "test_command: [go test ./..., npm test]\n", func(l *Loaded) any { return l.TestCommand }, Commands{"go test ./...", "npm test"}},
		{"seconds with a fraction", "test_command: x\ntimeout: 12.5\n", func(l *Loaded) any { return l.Timeout.String() }, "12.5s"},
		{"a gate's own timeout and the common one", "test_command: x\ntimeout: 2m\ngates: [{name: a, command: b}, {name: c, command: d, timeout: 9}]\n", func(l *Loaded) any { return l.Gates[0].Timeout.String() + l.Gates[1].Timeout.String() }, "2m9s"},
		{"a temperature of 0", "test_command: x\nmodel: {temperature: 0}\n", func(l *Loaded) any { return l.Model.Temperature != nil && *l.Model.Temperature == 0 }, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l := layers{project: c.text}.mustLoad(t)
			if diff := cmp.Diff(c.look(l), c.want); diff != "" {
				t.Errorf("(- got, + want)\n%s", diff)
			}
		})
	}
}

func TestTheContractsSampleLoads(t *testing.T) {
	text, err := os.ReadFile("testdata/sample.yml")
	if err != nil {
		t.Fatal(err)
	}
	l := layers{project: string(text)}.mustLoad(t)
	if len(l.Gates) != 2 || l.Gates[1].FixCommand == "" || l.Timeout.String() != "5m" || len(l.Warnings) != 0 {
		t.Errorf("got %+v, warnings %q", l.Config, l.Warnings)
	}
	if items := l.NeedsConsent(); len(items) != 0 {
		t.Errorf("the sample asks for consent: %v", items)
	}
	// All else in it is the default.
	plain := layers{project: "test_command: npm test\n"}.mustLoad(t)
	for i, row := range l.Show() {
		switch row.Key {
		case "setup_command", "rerun_command", "gates", "model.api_key_env":
			continue
		}
		if want := plain.Show()[i]; row.Value != want.Value {
			t.Errorf("%s: the sample says %q, the default is %q", row.Key, row.Value, want.Value)
		}
	}
}

func TestAliasBombIsRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString("test_command: x\ngates:\n  - &a0 {name: n, command: c}\n")
	b.WriteString("docs_only: &b0 [x, x, x, x, x, x, x, x, x, x]\n")
	prev := "b0"
	for i := 1; i < 9; i++ {
		name := "b" + string(rune('0'+i))
		b.WriteString("k" + name + ": &" + name + " [" + strings.Repeat("*"+prev+", ", 10) + "x]\n")
		prev = name
	}
	_, err := layers{project: b.String()}.load(t)
	wantKind(t, err, fault.Usage)
}
