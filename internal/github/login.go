package github

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/cli/go-gh/v2/pkg/auth"
	"github.com/cli/go-gh/v2/pkg/repository"
	"github.com/cli/go-gh/v2/pkg/ssh"
)

// Repo names a repository on a host.
type Repo struct{ Host, Owner, Name string }

// String returns owner/name.
func (r Repo) String() string { return r.Owner + "/" + r.Name }

// Same reports whether both are the same repository; GitHub ignores case.
func (r Repo) Same(o Repo) bool {
	return strings.EqualFold(r.Host, o.Host) && strings.EqualFold(r.Owner, o.Owner) &&
		strings.EqualFold(r.Name, o.Name)
}

// Remote is a remote of the checkout.
type Remote struct {
	Name string
	URLs []string
}

// Choice is the repository to work with, and its remote.
type Choice struct {
	Repo   Repo
	Remote string
}

// Choose finds the repository: the configured one (owner/name, host/owner/name or a URL),
// or that of a remote: upstream, then github, then origin, then the others, on the host in
// GH_HOST if that is set, else on one that GITHUB_SERVER_URL, GITHUB_API_URL or a login names.
func Choose(set string, remotes []Remote, getenv func(string) string) (Choice, error) {
	host := getenv("GH_HOST")
	if host == "" {
		host = serverHost(getenv)
	}
	found := parsed(remotes, host, apiHost(getenv))
	if set == "" {
		for _, f := range found {
			if host == "" || strings.EqualFold(f.Repo.Host, host) {
				return f, nil
			}
		}
		return Choice{}, noRemote(remotes, getenv)
	}
	if host == "" {
		host, _ = auth.DefaultHost()
	}
	r, err := repository.ParseWithHost(set, host)
	if err != nil {
		return Choice{}, fault.New(fault.Usage, "GH_REPO and github.repo are owner/name or host/owner/name",
			"%q does not name a repository", set)
	}
	out := Choice{Repo: Repo{Host: r.Host, Owner: r.Owner, Name: r.Name}}
	for _, f := range found {
		if f.Repo.Same(out.Repo) {
			return f, nil
		}
	}
	// A mirror, or a local path: only the name of the remote is known.
	for _, name := range remoteOrder(remotes) {
		out.Remote = name
		return out, nil
	}
	return Choice{}, fault.New(fault.Git, "git remote add origin ADDRESS",
		"this checkout has no remote to push to")
}

// noRemote is the error of a checkout without a remote on a known host.
func noRemote(remotes []Remote, getenv func(string) string) error {
	all := parsed(remotes, "", anyHost)
	if len(all) == 0 {
		return fault.New(fault.Git, "git remote add origin URL, or set GH_REPO=owner/name",
			"no remote of this checkout is on GitHub")
	}
	first := all[0]
	if want := getenv("GH_HOST"); want != "" {
		return fault.New(fault.Git, "git remote -v; unset GH_HOST to use "+first.Repo.Host,
			"no remote of this checkout is on %s, which GH_HOST names", want)
	}
	return fault.New(fault.Git, fmt.Sprintf("if it is a GitHub: gh auth login --hostname %[1]s, "+
		"or set GH_HOST=%[1]s and GH_ENTERPRISE_TOKEN", first.Repo.Host),
		"no login for the host of remote %s is known: %s", first.Remote, first.Repo.Host)
}

// anyHost accepts the remotes of all hosts.
const anyHost = "*"

// apiHost is the host that GITHUB_API_URL stands for, "" for github.com and where it names
// none, as that of a proxy does: git sends the token to that host.
func apiHost(getenv func(string) string) string {
	u, err := url.Parse(getenv("GITHUB_API_URL"))
	switch {
	case err != nil || u.Hostname() == "" || u.Hostname() == "api.github.com":
		return ""
	case strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), "/api/v3"):
		return u.Hostname()
	case strings.HasPrefix(u.Hostname(), "api."): // of GitHub Enterprise Cloud
		return strings.TrimPrefix(u.Hostname(), "api.")
	}
	return ""
}

// serverHost is the host given by GitHub Actions.
func serverHost(getenv func(string) string) string {
	u, err := url.Parse(getenv("GITHUB_SERVER_URL"))
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// remoteOrder sorts the likely ones first.
func remoteOrder(remotes []Remote) []string {
	var out []string
	for _, want := range []string{"upstream", "github", "origin"} {
		for _, r := range remotes {
			if r.Name == want {
				out = append(out, r.Name)
			}
		}
	}
	for _, r := range remotes {
		if r.Name != "upstream" && r.Name != "github" && r.Name != "origin" {
			out = append(out, r.Name)
		}
	}
	return out
}

// parsed returns the remotes on a host that may be GitHub's: the one in the environment, or
// one with a login.
func parsed(remotes []Remote, hosts ...string) []Choice {
	known := slices.Concat(auth.KnownHosts(), []string{"github.com"}, hosts)
	var out []Choice
	for _, name := range remoteOrder(remotes) {
		for _, r := range remotes {
			if r.Name != name || len(r.URLs) == 0 {
				continue
			}
			repo, ok := parseRemote(r.URLs[0], known)
			if ok {
				out = append(out, Choice{Repo: repo, Remote: name})
			}
		}
	}
	return out
}

func parseRemote(address string, known []string) (Repo, bool) {
	address = strings.TrimSpace(address)
	scp := strings.Contains(address, "@") && strings.Contains(address, ":")
	if !strings.Contains(address, "://") && !scp {
		return Repo{}, false // a local path
	}
	r, err := repository.Parse(address)
	if err != nil {
		return Repo{}, false
	}
	out := Repo{Host: r.Host, Owner: r.Owner, Name: r.Name}
	if isKnown(out.Host, known) {
		return out, true
	}
	if strings.HasPrefix(address, "http") {
		return Repo{}, false
	}
	// An alias in ~/.ssh/config: ssh knows the real host.
	u := ssh.NewTranslator().Translate(&url.URL{Scheme: "ssh", Host: out.Host})
	if h := strings.TrimPrefix(u.Hostname(), "ssh."); isKnown(h, known) {
		out.Host = h
		return out, true
	}
	return Repo{}, false
}

func isKnown(host string, known []string) bool {
	for _, k := range known {
		if k == anyHost || k != "" && strings.EqualFold(k, host) {
			return true
		}
	}
	return false
}

// Login is a token and its source.
type Login struct{ Token, Source string }

// FindLogin looks for a token for the host: in the environment, in gh's files, and in the
// keyring through gh if that is installed. If the environment sets the API root, the token
// for github.com is also accepted: whoever sets one sets the other.
func FindLogin(host string, getenv func(string) string) (Login, error) {
	if token, source := auth.TokenForHost(host); token != "" {
		return Login{token, source}, nil
	}
	if getenv("GITHUB_API_URL") != "" {
		for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN"} {
			if token := getenv(name); token != "" {
				return Login{token, name}, nil
			}
		}
	}
	return Login{}, noLogin(host)
}

func noLogin(host string) error {
	return fault.New(fault.Git, "gh auth login"+hostFlag(host)+", or set "+tokenName(host),
		"no login for %s was found", host)
}

func hostFlag(host string) string {
	if host == "" || host == "github.com" {
		return ""
	}
	return " --hostname " + host
}

func tokenName(host string) string {
	if auth.IsEnterprise(host) {
		return "GH_ENTERPRISE_TOKEN"
	}
	return "GH_TOKEN"
}

// IssueRef identifies an issue: a number, #number, or its URL.
type IssueRef struct {
	Number int
	// Repo is set if a URL was given.
	Repo *Repo
}

// ParseIssue parses a user's reference to an issue. The URL of a pull request is accepted:
// they share their numbers.
func ParseIssue(s string) (IssueRef, error) {
	bad := fault.New(fault.Usage, "give a number, such as 42, or its URL", "invalid issue %q", s)
	s = strings.TrimSpace(s)
	if !strings.Contains(s, "/") {
		n, ok := number(strings.TrimPrefix(s, "#"))
		if !ok {
			return IssueRef{}, bad
		}
		return IssueRef{Number: n}, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return IssueRef{}, bad
	}
	p := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(p) < 4 || p[2] != "issues" && p[2] != "pull" || p[0] == "" || p[1] == "" {
		return IssueRef{}, bad
	}
	n, ok := number(p[3])
	if !ok {
		return IssueRef{}, bad
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	return IssueRef{Number: n, Repo: &Repo{Host: host, Owner: p[0], Name: p[1]}}, nil
}

// number parses a positive number of at most nine digits.
func number(s string) (int, bool) {
	if s == "" || len(s) > 9 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n := 0
	if _, err := fmt.Sscanf(s, "%d", &n); err != nil || n == 0 {
		return 0, false
	}
	return n, true
}
