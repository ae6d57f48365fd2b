package config

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// samples gives five values of a key, each good and none the default, in
// rising order where they are numbers.
func samples(t *testing.T, k key) []string {
	t.Helper()
	switch k.name {
	case "schema_version":
		return []string{"1", "1", "1", "1", "1"}
	case "model.base_url":
		return []string{"http://a/v1", "http://b/v1", "http://c/v1", "http://d/v1", "http://e/v1"}
	case "github.repo":
		return []string{"a/a", "a/b", "a/c", "a/d", "a/e"}
	case "specs.branch":
		return []string{"a/{{.ID}}", "b/{{.ID}}", "c/{{.ID}}", "d/{{.ID}}", "e/{{.ID}}"}
	case "specs.test_command":
		return []string{"a {{.File}}", "b {{.File}}", "c {{.File}}", "d {{.File}}", "e {{.File}}"}
	case "rerun_command":
		return []string{"a {{.Files}}", "b {{.Files}}", "c {{.Files}}", "d {{.Files}}", "e {{.Files}}"}
	}
	if len(k.enum) > 0 {
		var v []string
		for i := range 5 {
			v = append(v, k.enum[i%len(k.enum)])
		}
		return v
	}
	switch p := k.field(new(Config)).(type) {
	case *string, *Commands:
		return []string{"a", "b", "c", "d", "e"}
	case *bool:
		return []string{"true", "false", "true", "false", "true"}
	case *Duration:
		return []string{"11s", "12s", "13s", "14s", "15s"}
	case *int:
		if k.min >= 1000 {
			return []string{"1001", "1002", "1003", "1004", "1005"}
		}
		return []string{"2", "4", "6", "7", "8"}
	case *float64, **float64:
		return []string{"0.25", "0.5", "0.75", "1.25", "1.5"}
	default:
		t.Fatalf("%s: no samples for %T", k.name, p)
		return nil
	}
}

// TestPrecedenceOfEveryScalar puts a value of its own into each layer and
// takes the layers away from the strongest on.
func TestPrecedenceOfEveryScalar(t *testing.T) {
	for _, k := range keys() {
		if !k.scalar() {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			v := samples(t, k)
			in := layers{env: map[string]string{}, project: "test_command: base\n", user: "model:\n"}
			var order []Source
			if k.user {
				in.user = yamlOf(k.name, v[0])
				order = append(order, FromUser)
			}
			if strings.HasPrefix(k.name, "budget.") {
				// A repository can only lower the user's limit: see TestLimits.
				v[0], v[1] = v[1], v[0]
				in.user = yamlOf(k.name, v[0])
			}
			in.project = yamlOf(k.name, v[1])
			if k.name != "test_command" {
				in.project += "test_command: base\n"
			}
			order = append(order, FromProject)
			in.env[k.variables()[0]] = v[2]
			order = append(order, FromEnvironment)
			if k.flag != "" {
				in.args = []string{"--" + k.flag + "=" + v[3]}
				order = append(order, FromFlag)
			}
			byLayer := map[Source]string{FromUser: v[0], FromProject: v[1], FromEnvironment: v[2], FromFlag: v[3]}
			for i := len(order) - 1; i >= 0; i-- {
				l := in.mustLoad(t)
				wantValue(t, l, k, byLayer[order[i]], order[i])
				switch order[i] {
				case FromFlag:
					in.args = nil
				case FromEnvironment:
					in.env = nil
				case FromProject:
					if k.name == "test_command" {
						return // the one key that has no default
					}
					in.project = "test_command: base\n"
				case FromUser:
					in.user = ""
				}
			}
			def := ""
			if k.def != nil {
				c := new(Config)
				assign(k.field(c), k.def)
				def = format(k.field(c))
			}
			wantValue(t, in.mustLoad(t), k, def, FromDefault)
		})
	}
}

// yamlOf writes one key the way a person would.
func yamlOf(name, value string) string {
	parts := strings.Split(name, ".")
	text := value
	if strings.ContainsAny(value, "{:") {
		text = "'" + value + "'"
	}
	out := ""
	for i, p := range parts {
		out += strings.Repeat("  ", i) + p + ":"
		if i < len(parts)-1 {
			out += "\n"
		}
	}
	return out + " " + text + "\n"
}

func wantValue(t *testing.T, l *Loaded, k key, want string, source Source) {
	t.Helper()
	if got := format(k.field(&l.Config)); got != want {
		t.Errorf("from %s: got %q, want %q", source, got, want)
	}
	o := l.Origins[k.name]
	if o.Source != source {
		t.Errorf("got origin %s, want %s", o, source)
	}
	if (source == FromProject || source == FromUser) && (o.Line == 0 || o.File == "") {
		t.Errorf("got origin %+v, want file and line", o)
	}
	if (source == FromFlag || source == FromEnvironment) && o.Name == "" {
		t.Errorf("got origin %+v, want a name", o)
	}
}

func TestOtherNamesOfVariables(t *testing.T) {
	cases := []struct {
		name string
		in   layers
		key  string
		want string
	}{
		{"the short name of the model", layers{env: map[string]string{"BOOTY_MODEL": "m"}}, "model.name", "m"},
		{"the whole name before the short one", layers{env: map[string]string{"BOOTY_MODEL": "m", "BOOTY_MODEL_NAME": "n"}}, "model.name", "n"},
		{"OPENAI_BASE_URL", layers{env: map[string]string{"OPENAI_BASE_URL": "http://o/v1"}}, "model.base_url", "http://o/v1"},
		{"BOOTY_BASE_URL before OPENAI_BASE_URL", layers{env: map[string]string{"OPENAI_BASE_URL": "http://o/v1", "BOOTY_BASE_URL": "http://b/v1"}}, "model.base_url", "http://b/v1"},
		{"OPENAI_BASE_URL is not for another provider's key", layers{env: map[string]string{"OPENAI_BASE_URL": "http://o/v1", "BOOTY_PROVIDER": "anthropic"}}, "model.base_url", ""},
		{"GH_REPO", layers{env: map[string]string{"GH_REPO": "o/r"}}, "github.repo", "o/r"},
		{"an empty variable is unset", layers{env: map[string]string{"BOOTY_MAX_RETRIES": ""}}, "max_retries", "3"},
		{"a truth as people write it", layers{env: map[string]string{"BOOTY_REVIEW_ENABLED": "1"}}, "review.enabled", "true"},
		{"--no-review takes back", layers{args: []string{"--no-review"}, env: map[string]string{"BOOTY_REVIEW_ENABLED": "true"}}, "review.enabled", "false"},
		{"--no-review=false is --review", layers{args: []string{"--no-review=false"}}, "review.enabled", "true"},
		{"a flag set to the default still counts", layers{args: []string{"--max-retries=3"}, env: map[string]string{"BOOTY_MAX_RETRIES": "5"}}, "max_retries", "3"},
		{"a duration flag", layers{args: []string{"--timeout=90s"}}, "timeout", "1m30s"},
		{"an empty text in a file is a key left out", layers{project: "test_command: x\nmodel: {name: ''}\n", user: "model: {name: mine}\n"}, "model.name", "mine"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.in.project == "" {
				c.in.project = "test_command: x\n"
			}
			l := c.in.mustLoad(t)
			if got := format(keyIndex()[c.key].field(&l.Config)); got != c.want {
				t.Errorf("got %q from %s, want %q", got, l.Origins[c.key], c.want)
			}
		})
	}
}

func TestListsAreTakenWhole(t *testing.T) {
	l := layers{
		project: "test_command: x\nsandbox: {env: [NODE_ENV]}\nprotected_paths: [a/**]\n",
		user:    "sandbox: {env: [HOME_KEY, Other], write: [/cache]}\nmodel: {roles: {review: {name: r}, quality: {name: q}}}\n",
	}.mustLoad(t)
	got := []any{l.Sandbox.Env, l.Sandbox.Write, l.ProtectedPaths, l.Model.Roles.Review.Name, l.DocsOnly}
	want := []any{[]string{"NODE_ENV"}, []string{"/cache"}, []string{"a/**"}, "r", []string{"**/*.md", "**/*.rst", "**/*.adoc", "docs/**", "doc/**/*.txt", "LICENSE"}}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("(- got, + want)\n%s", diff)
	}
}

func TestDefaultsAreNotShared(t *testing.T) {
	a := layers{project: "test_command: x\n"}.mustLoad(t)
	a.DocsOnly[0] = "changed"
	if b := (layers{project: "test_command: x\n"}).mustLoad(t); b.DocsOnly[0] == "changed" {
		t.Error("one load changed the defaults of the next")
	}
}

func TestLimits(t *testing.T) {
	cases := []struct {
		name, project, user string
		want                Budget
		note                string // key of the origin that must explain
	}{
		{"a repository may lower", "budget: {run_usd: 1}", "budget: {run_usd: 2}", Budget{1, 100, 500, 0}, ""},
		{"and may not raise", "budget: {run_usd: 50, day_usd: 3}", "budget: {run_usd: 2, day_usd: 9}", Budget{2, 3, 500, 0}, "budget.run_usd"},
		{"where the user has none it counts", "budget: {run_usd: 50}", "model: {name: a}", Budget{50, 100, 500, 0}, ""},
		{"no limit of the user's is more than any", "budget: {week_usd: 3}", "budget: {week_usd: 0}", Budget{5, 100, 3, 0}, ""},
		{"run_time too", "budget: {run_time: 2h}", "budget: {run_time: 45m}", Budget{5, 100, 500, 45 * 60e9}, "budget.run_time"},
		{"run_time without limit is more", "budget: {run_time: 0}", "budget: {run_time: 45m}", Budget{5, 100, 500, 45 * 60e9}, "budget.run_time"},
		{"run_time may be set where the user has none", "budget: {run_time: 1h}", "budget: {run_time: 0}", Budget{5, 100, 500, 3600e9}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l := layers{project: "test_command: x\n" + c.project + "\n", user: c.user + "\n"}.mustLoad(t)
			if l.Budget != c.want {
				t.Errorf("got %+v, want %+v", l.Budget, c.want)
			}
			if o := l.Origins[c.note]; c.note != "" && (o.Source != FromUser || !strings.Contains(o.String(), ".booty.yml:2 asks for more")) {
				t.Errorf("got origin %q, want it to say who asked for more", o)
			}
		})
	}
	l := layers{project: "test_command: x\nbudget: {run_usd: 1}\n", user: "budget: {run_usd: 2}\n", args: []string{"--budget=9"}}.mustLoad(t)
	if l.Budget.RunUSD != 9 {
		t.Errorf("the user's own flag: got %v, want 9", l.Budget.RunUSD)
	}
}

func TestARepositoryOnlyTightensTheSandbox(t *testing.T) {
	l := layers{project: "test_command: x\nsandbox: {mode: 'off', network: true}\n", user: "sandbox: {mode: require, network: false}\n"}.mustLoad(t)
	want := []string{
		"sandbox.mode stays require: .booty.yml:2 asks for off; a repository can only tighten the user's sandbox",
		".booty.yml:2: sandbox.network true is looser than your own false",
	}
	if diff := cmp.Diff(l.Warnings, want); diff != "" {
		t.Errorf("(- got, + want)\n%s", diff)
	}
	if o := l.Origins["sandbox.mode"]; l.Sandbox.Mode != "require" || o.Source != FromUser || o.Line != 1 {
		t.Errorf("got %s from %s, want the user's require", l.Sandbox.Mode, o)
	}
	for _, c := range []struct {
		name string
		in   layers
		want string
	}{
		{"tighter than the user's", layers{project: "sandbox: {mode: require}\n", user: "sandbox: {mode: auto}\n"}, "require"},
		{"off where the user set auto", layers{project: "sandbox: {mode: 'off'}\n", user: "sandbox: {mode: auto}\n"}, "auto"},
		{"where the user set nothing", layers{project: "sandbox: {mode: 'off'}\n", user: "ui: {color: never}\n"}, "off"},
		{"the user's variable is the user's word", layers{project: "sandbox: {mode: require}\n", user: "sandbox: {mode: require}\n", env: map[string]string{"BOOTY_SANDBOX_MODE": "off"}}, "off"},
	} {
		c.in.project += "test_command: x\n"
		if got := c.in.mustLoad(t).Sandbox.Mode; got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestOnlyProjectEnv(t *testing.T) {
	for _, c := range []struct {
		name, project, user string
		want                []string
	}{
		{"nobody's", "", "", nil},
		{"the user's alone", "", "sandbox: {env: [OPENAI_API_KEY]}\n", nil},
		{"the repository's alone", "sandbox: {env: [A, OPENAI_API_KEY]}\n", "", []string{"A", "OPENAI_API_KEY"}},
		{"both name one", "sandbox: {env: [A, B]}\n", "sandbox: {env: [B]}\n", []string{"A"}},
	} {
		got, at := layers{project: "test_command: x\n" + c.project, user: c.user}.mustLoad(t).OnlyProjectEnv()
		if diff := cmp.Diff(got, c.want); diff != "" {
			t.Errorf("%s: (- got, + want)\n%s", c.name, diff)
		}
		if len(got) > 0 && (at.File != ".booty.yml" || at.Line != 2) {
			t.Errorf("%s: got %v, want .booty.yml:2", c.name, at)
		}
	}
}

func TestPricesFromProject(t *testing.T) {
	for _, c := range []struct {
		name       string
		in         layers
		main, role bool
	}{
		{"nobody's", layers{}, false, false},
		{"the user's", layers{user: "model: {prices: {input: 1}, roles: {quality: {name: x, prices: {input: 1}}}}\n"}, false, false},
		{"the repository's", layers{project: "model: {prices: {output: 0.01}}\n"}, true, true},
		{"a part of the user's", layers{project: "model: {prices: {output: 0.01}}\n", user: "model: {prices: {input: 1, output: 5}}\n"}, true, true},
		{"of a role alone", layers{project: "model: {roles: {quality: {name: x, prices: {input: 0.01}}}}\n", user: "model: {prices: {input: 1}}\n"}, false, true},
		{"the user's variables", layers{project: "model: {prices: {input: 1}}\n", env: map[string]string{"BOOTY_MODEL_PRICES_INPUT": "2"}}, false, false},
	} {
		c.in.project += "test_command: x\n"
		l := c.in.mustLoad(t)
		if main, role := l.PricesFromProject(""), l.PricesFromProject("fix-quality"); main != c.main || role != c.role {
			t.Errorf("%s: got %v for the main model and %v for the role, want %v and %v", c.name, main, role, c.main, c.role)
		}
	}
}

func TestConnectionBelongsToItsProvider(t *testing.T) {
	user := "model: {provider: anthropic, base_url: 'http://proxy/v1', api_key_env: WORK_KEY, command: [a]}\n"
	cases := []struct {
		name string
		in   layers
		want [3]string // base_url, api_key_env, command
	}{
		{"the same provider", layers{user: user}, [3]string{"http://proxy/v1", "WORK_KEY", "[a]"}},
		{"another by the repository", layers{user: user, project: "test_command: x\nmodel: {provider: openrouter}\n"}, [3]string{"", "", "[]"}},
		{"another by a flag", layers{user: user, args: []string{"--provider=ollama"}}, [3]string{"", "", "[]"}},
		{"the repository's go as well", layers{user: user, project: "test_command: x\nmodel: {provider: openai, base_url: 'http://p/v1'}\n", args: []string{"--provider=anthropic"}}, [3]string{"http://proxy/v1", "WORK_KEY", "[a]"}},
		{"an address by flag stays", layers{user: user, args: []string{"--provider=ollama", "--base-url=http://h/v1"}}, [3]string{"http://h/v1", "", "[]"}},
		{"custom is openai elsewhere", layers{user: "model: {provider: openai, base_url: 'http://o/v1'}\n", args: []string{"--provider=custom"}}, [3]string{"http://o/v1", "", "[]"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.in.project == "" {
				c.in.project = "test_command: x\n"
			}
			l := c.in.mustLoad(t)
			if got := [3]string{l.Model.BaseURL, l.Model.APIKeyEnv, format(&l.Model.Command)}; got != c.want {
				t.Errorf("got %q, want %q; %s", got, c.want, l.Origins["model.base_url"])
			}
		})
	}
}

func TestModelFor(t *testing.T) {
	c := Config{Model: Model{
		RoleModel: RoleModel{Provider: "openai", Name: "main", BaseURL: "http://m/v1", APIKeyEnv: "MAIN", EditFormat: "auto", MaxOutputTokens: 9, Prices: Prices{Input: 1}},
		Roles:     Roles{Review: RoleModel{Name: "other"}, Escalate: RoleModel{Provider: "anthropic", Name: "big"}},
	}}
	cases := []struct {
		role string
		want RoleModel
	}{
		{"implement", RoleModel{Provider: "openai", Name: "main", BaseURL: "http://m/v1", APIKeyEnv: "MAIN", EditFormat: "auto", MaxOutputTokens: 9, Prices: Prices{Input: 1}}},
		{"fix-quality", RoleModel{Provider: "openai", Name: "main", BaseURL: "http://m/v1", APIKeyEnv: "MAIN", EditFormat: "auto", MaxOutputTokens: 9, Prices: Prices{Input: 1}}},
		{"review", RoleModel{Provider: "openai", Name: "other", BaseURL: "http://m/v1", APIKeyEnv: "MAIN", EditFormat: "auto", MaxOutputTokens: 9}},
		{"escalate", RoleModel{Provider: "anthropic", Name: "big", EditFormat: "auto", MaxOutputTokens: 9}},
	}
	for _, tc := range cases {
		if diff := cmp.Diff(c.ModelFor(tc.role), tc.want); diff != "" {
			t.Errorf("%s: (- got, + want)\n%s", tc.role, diff)
		}
	}
	if c.HasRole("quality") || !c.HasRole("review") {
		t.Error("got the wrong roles set")
	}
}

func TestShowHidesSecrets(t *testing.T) {
	l := layers{project: "test_command: x\nsetup_command: \"curl -H 'Authorization: Bearer abcdef123456'\"\nmodel: {provider: exec, base_url: 'https://h/v1?api-version=1&key=hunter2hunter2', command: [ask, --api-key, hunter2hunter2, sk-abcdefghijklmnop]}\n"}.mustLoad(t)
	for _, row := range l.Show() {
		for _, secret := range []string{"hunter2", "abcdef"} {
			if all := fmt.Sprint(row.Value, row.Typed); strings.Contains(all, secret) {
				t.Errorf("%s shows %q", row.Key, all)
			}
		}
	}
	if len(l.Show()) != len(keys()) {
		t.Errorf("got %d rows, want one for each of %d keys", len(l.Show()), len(keys()))
	}
}

func TestShowGivesTypedValues(t *testing.T) {
	l := layers{project: "test_command: [a, b]\ntimeout: 90s\nmodel: {max_output_tokens: 7}\nsandbox: {network: false}\n"}.mustLoad(t)
	got := map[string]any{}
	for _, row := range l.Show() {
		got[row.Key] = row.Typed
	}
	want := map[string]any{"test_command": []any{"a", "b"}, "timeout": "1m30s", "model.max_output_tokens": 7,
		"sandbox.network": false, "model.temperature": nil, "model.name": "", "gates": []any{}}
	for key, value := range want {
		if diff := cmp.Diff(got[key], value); diff != "" {
			t.Errorf("%s (- got, + want)\n%s", key, diff)
		}
	}
}

func TestPlacesOfFiles(t *testing.T) {
	abs := t.TempDir()
	cases := []struct {
		name string
		env  map[string]string
		want [2]string
	}{
		{"XDG", map[string]string{"XDG_CONFIG_HOME": filepath.Join(abs, "c"), "XDG_STATE_HOME": filepath.Join(abs, "s"), "HOME": abs},
			[2]string{filepath.Join(abs, "c", "booty", "config.yml"), filepath.Join(abs, "s", "booty", "consent.json")}},
		{"home", map[string]string{"HOME": abs}, [2]string{filepath.Join(abs, ".config", "booty", "config.yml"), filepath.Join(abs, ".local", "state", "booty", "consent.json")}},
		{"a relative XDG path is none", map[string]string{"XDG_CONFIG_HOME": "c", "HOME": abs}, [2]string{filepath.Join(abs, ".config", "booty", "config.yml"), filepath.Join(abs, ".local", "state", "booty", "consent.json")}},
		{"nowhere", nil, [2]string{"", ""}},
	}
	for _, c := range cases {
		get := func(n string) string { return c.env[n] }
		if got := [2]string{DefaultUserFile(get), DefaultConsentFile(get)}; got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	write(t, filepath.Join(abs, ".config", "booty", "config.yml"), "model: {name: found}\n")
	l, err := Load(LoadOptions{Getenv: func(n string) string { return map[string]string{"HOME": abs}[n] }})
	if err != nil || l.Model.Name != "found" {
		t.Errorf("got %v, %v; want the user's file read", l, err)
	}
}

func TestEveryFieldHasARow(t *testing.T) {
	// Decoding a file with every key of the table and asking for the origins
	// finds a row whose field points elsewhere.
	seen := map[string]bool{}
	c := new(Config)
	for _, k := range keys() {
		addr := fmt.Sprintf("%p", k.field(c))
		if seen[addr] && k.name != "schema_version" {
			t.Errorf("%s shares its place with another key", k.name)
		}
		seen[addr] = true
		if k.doc == "" {
			t.Errorf("%s is not described", k.name)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	sample, err := os.ReadFile("testdata/sample.yml")
	if err != nil {
		b.Fatal(err)
	}
	root := b.TempDir()
	write(b, filepath.Join(root, ".booty.yml"), string(sample))
	for b.Loop() {
		if _, err := Load(LoadOptions{Root: root, UserFile: filepath.Join(root, "none"), Getenv: func(string) string { return "" }}); err != nil {
			b.Fatal(err)
		}
	}
}

// yamlBreak is what ends a line for YAML 1.1.
var yamlBreak = regexp.MustCompile("\r\n|[\r\n\u0085\u2028\u2029]")

func FuzzLoad(f *testing.F) {
	sample, err := os.ReadFile("testdata/sample.yml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(sample))
	for _, s := range []string{
		"test_command: x\n", "test_command: x\ngates: [{name: a, command: b}]\n", "a: &a [*a]\n", "limits: &l\ntest_command: x\n",
		"test_command: x\nmodel: {roles: {review: {<<: {name: x}}}}\n", "? [a]\n: b\n", "limits: *x\n", "test_command: !!binary aGk=\n",
		"test_command: x\nspecs: {patterns: [{files: a, pending: (b), active: c}]}\n", "--- a\n--- b\n", "test_command: x\nbudget: {run_usd: 1e400}\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// Most inputs are refused here, without the cost of files and layers.
		if d := decode(".booty.yml", []byte(text), false); len(d.problems) > 0 {
			breaks := len(yamlBreak.FindAllString(text, -1))
			for _, p := range d.problems {
				if p.line < 1 || p.line > breaks+2 || p.text == "" {
					t.Errorf("%v has no line of the file", p)
				}
			}
			return
		}
		l, err := layers{project: text}.load(t)
		if err != nil {
			if !strings.Contains(err.Error(), ".booty.yml") {
				t.Errorf("%v does not name the file", err)
			}
			return
		}
		// What loads is within its ranges.
		for _, k := range keys() {
			if !k.scalar() {
				continue
			}
			if v := deref(k.field(&l.Config)); v != nil {
				if msg := k.valid(v); msg != "" {
					t.Errorf("%s = %v was let through: %s", k.name, v, msg)
				}
			}
		}
		l.Show()
		l.NeedsConsent()
	})
}

func TestWarnsOfMisspelledVariables(t *testing.T) {
	l, err := Load(LoadOptions{
		Getenv:  func(string) string { return "" },
		Environ: []string{"BOOTY_MODELL=x", "BOOTY_MODEL=y", "BOOTY_GATES=[]", "BOOTY_SOMETHING_ELSE=1", "BOOTY_TIMEOUTS=", "BOOTY_PATIENCE=1s", "PATH=/bin"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"BOOTY_MODELL sets nothing: did you mean BOOTY_MODEL?",
		"BOOTY_GATES sets nothing: gates is a list, and stands in .booty.yml",
		"BOOTY_SOMETHING_ELSE sets nothing: there is no such setting; booty config show lists them",
	}
	if diff := cmp.Diff(l.Warnings, want); diff != "" {
		t.Error(diff)
	}
}

func TestTheModelOfAChallenge(t *testing.T) {
	for _, c := range []struct{ review, name, base string }{
		{"", "main", "http://m/v1"},
		{"review: {model: other}\n", "other", "http://m/v1"},
		{"model: {roles: {review: {name: reader, base_url: 'http://r/v1'}}}\n", "reader", "http://r/v1"},
		{"model: {roles: {review: {name: reader, base_url: 'http://r/v1'}}}\nreview: {model: other}\n", "other", "http://r/v1"},
	} {
		l := layers{user: "model: {provider: custom, name: main, base_url: 'http://m/v1', prices: {input: 1}}\n", project: "test_command: x\n" + c.review}.mustLoad(t)
		if m := l.ModelFor(RoleChallenge); m.Name != c.name || m.BaseURL != c.base || (m.Prices.Input == 1) != (c.name == "main") {
			t.Errorf("%q: got %s at %s, price %v", c.review, m.Name, m.BaseURL, m.Prices.Input)
		}
	}
}
