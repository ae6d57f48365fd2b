package config

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/booty-cli/booty/internal/placeholder"
)

// The checks of single texts: each says what is wrong, or "".

func checkNotEmpty(s string) string {
	if strings.TrimSpace(s) == "" {
		return "must not be empty"
	}
	return ""
}

// checkVerdict allows the verdicts that may turn a check red.
func checkVerdict(s string) string {
	if all := []string{"weakened", "failing", "not_shown", "caught", "changed",
		"partly"}; !slices.Contains(all, s) {
		return fmt.Sprintf("unknown verdict %q: want %s", s, strings.Join(all, ", "))
	}
	return ""
}

func checkGlob(s string) string {
	switch {
	case strings.TrimSpace(s) == "":
		return "an empty glob matches nothing"
	case strings.HasPrefix(s, "!"):
		return fmt.Sprintf("bad glob %q: a leading ! is not understood", s)
	case strings.HasPrefix(s, "/") || s == ".." || strings.HasPrefix(s, "../"):
		return fmt.Sprintf("bad glob %q: globs are relative to the repository root", s)
	case !doublestar.ValidatePattern(s):
		return fmt.Sprintf("bad glob %q", s)
	}
	return ""
}

func checkURL(s string) string {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		// The parser's message repeats the text, which may hold a password.
		return "not a URL"
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return "must begin with https:// or http:// and name a host"
	case u.User != nil:
		return "must not hold a user name or password: keys belong in the variable that api_key_env names"
	}
	return ""
}

var envName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// keyLike are the beginnings of well-known API keys.
var keyLike = []string{"sk-", "sk_", "ghp_", "gho_", "github_pat_", "AIza", "gsk_", "xai-"}

func checkEnvName(s string) string {
	for _, p := range keyLike {
		if strings.HasPrefix(s, p) {
			return "this looks like a key itself: put the key into a variable and its name here"
		}
	}
	if !envName().MatchString(s) {
		return fmt.Sprintf("%q is not the name of an environment variable", s)
	}
	return ""
}

var repoName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z0-9.-]+(:\d+)?/)?[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)
})

func checkRepo(s string) string {
	// GH_REPO may be a URL, as for gh.
	if u, err := url.Parse(s); err == nil && u.Host != "" &&
		strings.Count(strings.Trim(u.Path, "/"), "/") == 1 {
		return ""
	}
	if !repoName().MatchString(s) {
		return fmt.Sprintf("%q is not owner/name", s)
	}
	return ""
}

// checkRef follows git-check-ref-format as far as a branch's name goes.
func checkRef(s string) string {
	bad := fmt.Sprintf("%q is not a branch name that git accepts", s)
	if s == "" || s == "@" || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "/") ||
		strings.HasSuffix(s, "/") ||
		strings.HasSuffix(s, ".") || strings.Contains(s, "..") || strings.Contains(s, "//") ||
		strings.Contains(s, "@{") {
		return bad
	}
	for part := range strings.SplitSeq(s, "/") {
		if strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return bad
		}
	}
	if strings.ContainsAny(s, " ~^:?*[\\") || strings.IndexFunc(s, unicode.IsControl) >= 0 {
		return bad
	}
	return ""
}

// BranchData fills in the branch templates.
type BranchData struct {
	Number int    // of the issue
	ID     string // of the spec
	Slug   string // of the title, in lower-case ASCII words
	Run    string // id of the run
}

// branchPlaces are the places that a branch template may hold.
var branchPlaces = []string{"Number", "ID", "Slug", "Run"}

func (d BranchData) values() map[string]string {
	return map[string]string{"Number": strconv.Itoa(d.Number), "ID": d.ID, "Slug": d.Slug, "Run": d.Run}
}

// BranchName fills in the template of github.branch or specs.branch.
func BranchName(text string, d BranchData) (string, error) {
	parts, err := placeholder.Parse(text, branchPlaces...)
	if err != nil {
		return "", fmt.Errorf("branch template %q: %w", text, err)
	}
	name := placeholder.Fill(parts, d.values())
	if msg := checkRef(name); msg != "" {
		return "", fmt.Errorf("branch template %q: %s", text, msg)
	}
	return name, nil
}

// rerunPlaces are the places that rerun_command may hold.
var rerunPlaces = []string{"Files", "Tests", "Pattern"}

func checkRerun(s string) string {
	parts, err := placeholder.Parse(s, rerunPlaces...)
	switch {
	case err != nil:
		return "bad template: " + err.Error()
	case !placeholder.Uses(parts, ""):
		return "bad template: needs one of " + placeholder.List(rerunPlaces...)
	}
	return ""
}

func checkSpecTest(s string) string {
	switch parts, err := placeholder.Parse(s, "File"); {
	case err != nil:
		return "bad template: " + err.Error()
	case !placeholder.Uses(parts, ""):
		return "must hold {{.File}}, the file of the spec; what runs all tests belongs into test_command"
	}
	return ""
}

func checkBranch(s string) string { return checkBranchTemplate(s) }

func checkSpecBranch(s string) string {
	if msg := checkBranchTemplate(s); msg != "" {
		return msg
	}
	if parts, err := placeholder.Parse(s, branchPlaces...); err != nil || !placeholder.Uses(parts, "ID") {
		return "must hold {{.ID}}: each spec needs a branch of its own"
	}
	return ""
}

func checkBranchTemplate(s string) string {
	parts, err := placeholder.Parse(s, branchPlaces...)
	if err != nil {
		return "bad template: " + err.Error()
	}
	return checkRef(placeholder.Fill(parts, BranchData{Number: 42, ID: "API-001", Slug: "accept-an-empty-list",
		Run: "r1"}.values()))
}

func checkPattern(p SpecPattern) map[string]string {
	bad := map[string]string{}
	if msg := checkGlob(p.Files); msg != "" {
		bad["files"] = msg
	}
	if p.Pending == "" {
		bad["pending"] = "must not be empty"
	} else if re, err := regexp.Compile(p.Pending); err != nil {
		bad["pending"] = "bad regular expression: " +
			strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	} else if re.NumSubexp() < 1 {
		bad["pending"] = "needs a group: its group 1 is the title"
	}
	return bad
}

// lastPart gives the last part of a key.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
