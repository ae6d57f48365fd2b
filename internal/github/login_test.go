package github

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

func TestParseIssue(t *testing.T) {
	for in, want := range map[string]string{
		"42": "42", "#42": "42", " 42 ": "42",
		"https://github.com/acme/app/issues/42":                "42 github.com/acme/app",
		"https://www.github.com/acme/app/issues/42?x=1#note-3": "42 github.com/acme/app",
		"https://ghe.example.com/acme/app/pull/7/files":        "7 ghe.example.com/acme/app",
		"": "", "0": "", "-1": "", "4.2": "", "42x": "", "12345678901": "", "acme/app#42": "", "https://github.com/acme/app": "",
		"https://github.com/acme/app/issues/x": "", "ftp://github.com/acme/app/issues/1": "", "https://github.com//app/issues/1": "",
	} {
		ref, err := ParseIssue(in)
		got := ""
		if err == nil {
			got = itoa(ref.Number)
			if ref.Repo != nil {
				got += " " + ref.Repo.Host + "/" + ref.Repo.String()
			}
		}
		if got != want {
			t.Errorf("%q: got %q (%v), want %q", in, got, err, want)
		}
	}
}

func FuzzParseIssue(f *testing.F) {
	for _, s := range []string{"42", "#1", "https://github.com/a/b/issues/3", "//", "https://%zz/a/b/issues/1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ref, err := ParseIssue(s)
		if err == nil && (ref.Number <= 0 || ref.Repo != nil && (ref.Repo.Host == "" || ref.Repo.Owner == "" || ref.Repo.Name == "")) {
			t.Errorf("%q gave %+v", s, ref)
		}
	})
}

func FuzzNextPage(f *testing.F) {
	f.Add(`<https://api.github.com/x?page=2>; rel="next", <https://api.github.com/x?page=9>; rel="last"`)
	f.Add(`<>; rel="next"`)
	f.Fuzz(func(t *testing.T, s string) {
		if got := nextPage(s); got != "" && !strings.Contains(s, got) {
			t.Errorf("%q gave %q", s, got)
		}
	})
}

func TestNextPage(t *testing.T) {
	got := nextPage(`<https://h/x?page=1>; rel="prev", <https://h/x?page=3>; rel="next", <https://h/x?page=9>; rel="last"`)
	if got != "https://h/x?page=3" {
		t.Errorf("got %q", got)
	}
	if got := nextPage(`<https://h/x?page=1>; rel="prev"`); got != "" {
		t.Errorf("got %q on the last page", got)
	}
}

func TestChoose(t *testing.T) {
	testkit.Hermetic(t)
	t.Setenv("GH_CONFIG_DIR", t.TempDir())
	for _, k := range []string{"GH_HOST", "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GITHUB_SERVER_URL", "GITHUB_API_URL"} {
		t.Setenv(k, "")
	}
	r := func(name, url string) Remote { return Remote{Name: name, URLs: []string{url}} }
	for name, c := range map[string]struct {
		set     string
		remotes []Remote
		env     map[string]string
		want    string // host/owner/name via remote
	}{
		"https":                          {"", []Remote{r("origin", "https://github.com/acme/app.git")}, nil, "github.com/acme/app via origin"},
		"ssh":                            {"", []Remote{r("origin", "git@github.com:acme/app.git")}, nil, "github.com/acme/app via origin"},
		"ssh with a scheme":              {"", []Remote{r("origin", "ssh://git@github.com/acme/app")}, nil, "github.com/acme/app via origin"},
		"upstream before origin":         {"", []Remote{r("origin", "https://github.com/me/app"), r("upstream", "https://github.com/acme/app")}, nil, "github.com/acme/app via upstream"},
		"another host is passed over":    {"", []Remote{r("origin", "https://git.example.com/a/b"), r("hub", "https://github.com/acme/app")}, nil, "github.com/acme/app via hub"},
		"GH_HOST":                        {"", []Remote{r("origin", "https://ghe.example.com/a/b"), r("hub", "https://github.com/acme/app")}, map[string]string{"GH_HOST": "ghe.example.com"}, "ghe.example.com/a/b via origin"},
		"the server of Actions":          {"", []Remote{r("origin", "https://ghe.example.com/a/b")}, map[string]string{"GITHUB_SERVER_URL": "https://ghe.example.com"}, "ghe.example.com/a/b via origin"},
		"the server of the API":          {"", []Remote{r("origin", "https://ghe.example.com/a/b")}, map[string]string{"GITHUB_API_URL": "https://ghe.example.com/api/v3"}, "ghe.example.com/a/b via origin"},
		"the cloud of an enterprise":     {"", []Remote{r("origin", "git@acme.ghe.com:a/b")}, map[string]string{"GITHUB_API_URL": "https://api.acme.ghe.com/"}, "acme.ghe.com/a/b via origin"},
		"github.com's API is no host":    {"", []Remote{r("origin", "https://git.example.com/a/b")}, map[string]string{"GITHUB_API_URL": "https://api.github.com"}, "no login for the host of remote origin is known: git.example.com"},
		"a proxy's API is no host":       {"", []Remote{r("origin", "https://git.example.com/a/b")}, map[string]string{"GITHUB_API_URL": "http://127.0.0.1:8080"}, "no login for the host of remote origin is known: git.example.com"},
		"GH_HOST of no remote":           {"", []Remote{r("origin", "https://github.com/a/b")}, map[string]string{"GH_HOST": "ghe.example.com"}, "no remote of this checkout is on ghe.example.com, which GH_HOST names"},
		"set, with its remote":           {"acme/app", []Remote{r("origin", "https://github.com/me/app"), r("hub", "https://github.com/ACME/app")}, nil, "github.com/ACME/app via hub"},
		"set, with a path as its remote": {"acme/app", []Remote{r("origin", "/srv/app.git")}, nil, "github.com/acme/app via origin"},
		"set with a host":                {"ghe.example.com/acme/app", []Remote{r("origin", "/srv/app.git")}, nil, "ghe.example.com/acme/app via origin"},
		"nothing to go by":               {"", []Remote{r("origin", "/srv/app.git")}, nil, "no remote of this checkout is on GitHub"},
		"no remote":                      {"acme/app", nil, nil, "this checkout has no remote to push to"},
		"no name of a repository":        {"acme", []Remote{r("origin", "/srv/app.git")}, nil, `"acme" does not name a repository`},
	} {
		t.Run(name, func(t *testing.T) {
			for k, v := range c.env {
				t.Setenv(k, v)
			}
			got, err := Choose(c.set, c.remotes, os.Getenv)
			text := fmt.Sprint(err)
			if err == nil {
				text = got.Repo.Host + "/" + got.Repo.String() + " via " + got.Remote
			}
			if text != c.want {
				t.Errorf("got %q (%v), want %q", text, err, c.want)
			}
		})
	}
}

func TestWhereTheTokenIsFound(t *testing.T) {
	testkit.Hermetic(t)
	t.Setenv("GH_CONFIG_DIR", t.TempDir())
	t.Setenv("GH_PATH", filepath.Join(t.TempDir(), "no-gh"))
	for _, k := range []string{"GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GITHUB_API_URL"} {
		t.Setenv(k, "")
	}
	if _, err := FindLogin("github.com", os.Getenv); err == nil {
		t.Error("a token was found where there is none")
	}
	t.Setenv("GITHUB_TOKEN", "second")
	check := func(host, want string) {
		t.Helper()
		if l, err := FindLogin(host, os.Getenv); l.Token != want {
			t.Errorf("%s: got %q (%v), want %q", host, l.Token, err, want)
		}
	}
	check("github.com", "second")
	t.Setenv("GH_TOKEN", "first")
	check("github.com", "first")
	check("ghe.example.com", "") // not sent to another host
	t.Setenv("GITHUB_API_URL", "https://ghe.example.com/api/v3")
	check("ghe.example.com", "first")
	t.Setenv("GH_ENTERPRISE_TOKEN", "enterprise")
	check("ghe.example.com", "enterprise")
}

func TestWhereTheAPILies(t *testing.T) {
	for host, want := range map[string]string{
		"github.com": "https://api.github.com/", "ghe.example.com": "https://ghe.example.com/api/v3/", "octo.ghe.com": "https://api.octo.ghe.com/",
	} {
		if got := apiRoot(host); got != want {
			t.Errorf("%s: got %s, want %s", host, got, want)
		}
	}
	for root, want := range map[string]string{
		"https://api.github.com": "https://api.github.com/graphql", "https://ghe.example.com/api/v3": "https://ghe.example.com/api/graphql",
		"http://127.0.0.1:8080/": "http://127.0.0.1:8080/graphql",
	} {
		r, err := newRooted(Options{Root: root})
		if err != nil || r.graphql.String() != want {
			t.Errorf("%s: got %v, %v, want %s", root, r, err, want)
		}
	}
	if _, err := newRooted(Options{Root: "api.github.com"}); err == nil {
		t.Error("an address without a scheme was taken")
	}
}
