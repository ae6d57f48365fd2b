package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/provider"
)

// A repository's file that names an address, a command or a key's variable
// could send the user's key anywhere, and one that widens the sandbox lets its
// commands at the user's other files. Such values are used only after the user
// agreed to exactly these, for exactly this repository.
//
// The repository's own setup, test and gate commands need no agreement: they
// are what the user came to run, as with `make test`, they get no key of
// booty's, and they run in the sandbox.

// ConsentItem is one value that needs the user's agreement.
type ConsentItem struct {
	Key   string
	Value string
	File  string
	Line  int
}

func (c ConsentItem) String() string {
	return fmt.Sprintf("%s: %s (%s:%d)", c.Key, c.Value, c.File, c.Line)
}

// NeedsConsent lists the effective values of the project file that redirect a
// key, start a program of the file's choosing or widen the sandbox. It
// is empty where flags, environment or the user's file decided them, or where
// the user's file says the same.
func (l *Loaded) NeedsConsent() []ConsentItem {
	var items []ConsentItem
	add := func(key, value string) {
		items = append(items, ConsentItem{Key: key, Value: value, File: l.project.path,
			Line: l.project.lines[key]})
	}
	fromProject := func(name string) bool { return l.Origins[name].Source == FromProject }
	for _, role := range []string{"", "quality", "review", "escalate"} {
		name, theirs, mine := "model", l.Model.RoleModel, l.user.cfg.Model.RoleModel
		decides := func(key string) bool { return fromProject("model." + key) }
		if role != "" {
			name, theirs, mine = "model.roles."+role, l.Model.Roles.of(role), l.user.cfg.Model.Roles.of(role)
			decides = func(string) bool { return fromProject(name) }
		}
		if decides("provider") && theirs.Provider != mine.Provider &&
			(provider.StartsProgram(theirs.Provider) || role == "" && l.keyGoesAlong()) {
			add(name+".provider", theirs.Provider)
		}
		if decides("base_url") && theirs.BaseURL != "" && theirs.BaseURL != mine.BaseURL {
			add(name+".base_url", theirs.BaseURL)
		}
		if decides("api_key_env") && theirs.APIKeyEnv != "" && theirs.APIKeyEnv != mine.APIKeyEnv &&
			!provider.ReadsKey(l.ModelFor(role).Provider, theirs.APIKeyEnv) {
			add(name+".api_key_env", theirs.APIKeyEnv)
		}
		if decides("command") && len(theirs.Command) > 0 && !slices.Equal(theirs.Command, mine.Command) {
			add(name+".command", words(theirs.Command))
		}
	}
	for _, w := range l.widened() {
		add(w[0], w[1])
	}
	return items
}

// widened lists what the project file alone takes from the cage that its own
// commands run in: the whole of it, variables by which they reach programs
// outside, and places to read or write outside of the tree and in its git directory.
func (l *Loaded) widened() [][2]string {
	mine := l.user.cfg.Sandbox
	var list [][2]string
	if l.Origins["sandbox.mode"].Source == FromProject && l.Sandbox.Mode == "off" && mine.Mode != "off" {
		list = append(list, [2]string{"sandbox.mode", "off"})
	}
	if names, _ := l.OnlyProjectEnv(); len(names) > 0 {
		list = append(list, [2]string{"sandbox.env", words(names)})
	}
	for _, k := range []struct {
		key          string
		theirs, mine []string
	}{{"sandbox.read", l.Sandbox.Read, mine.Read}, {"sandbox.write", l.Sandbox.Write, mine.Write}} {
		if l.Origins[k.key].Source != FromProject {
			continue
		}
		places := slices.DeleteFunc(slices.Clone(k.theirs), func(place string) bool {
			return !leadsOut(place) || slices.Contains(k.mine, place)
		})
		if len(places) > 0 {
			list = append(list, [2]string{k.key, words(places)})
		}
	}
	return list
}

// leadsOut reports whether a place lies outside of the work tree, or
// in its git directory.
func leadsOut(place string) bool {
	p := path.Clean(filepath.ToSlash(place))
	first, _, _ := strings.Cut(p, "/")
	return first == ".." || first == "." || first == "~" || strings.EqualFold(first, ".git") ||
		path.IsAbs(p) ||
		filepath.IsAbs(place) || filepath.VolumeName(place) != ""
}

// keyGoesAlong reports whether the user named a key for one provider, and no address:
// another provider of the project's choice would get it.
func (l *Loaded) keyGoesAlong() bool {
	byUser := func(name string) bool {
		s := l.Origins[name].Source
		return s != FromDefault && s != FromProject
	}
	return byUser("model.api_key_env") && !byUser("model.base_url")
}

// words shows a command so that no two commands look the same.
func words(argv []string) string {
	b, err := json.Marshal(argv)
	if err != nil {
		return strings.Join(argv, " ")
	}
	return string(b)
}

// ConsentStore keeps agreements in a file that only the user can read.
type ConsentStore struct {
	// Path is usually DefaultConsentFile's.
	Path string
}

// agreement is one entry of the file, by repository.
type agreement struct {
	Digest string    `json:"digest"`
	Keys   []string  `json:"keys"`
	At     time.Time `json:"at"`
}

// Agreed reports whether the user agreed to exactly these values for the
// repository at root. No items need no agreement.
func (s ConsentStore) Agreed(root string, items []ConsentItem) (bool, error) {
	if len(items) == 0 {
		return true, nil
	}
	all, err := s.read()
	if err != nil {
		return false, err
	}
	id, err := repository(root)
	if err != nil {
		return false, err
	}
	return all[id].Digest == digest(id, items), nil
}

// Agree keeps the user's agreement; it replaces an earlier one for root. Of two
// agreements at the same moment one may be lost: its repository asks again.
func (s ConsentStore) Agree(root string, items []ConsentItem, now time.Time) error {
	all, err := s.read()
	if err != nil {
		return err
	}
	id, err := repository(root)
	if err != nil {
		return err
	}
	a := agreement{Digest: digest(id, items), At: now.UTC()}
	for _, i := range items {
		a.Keys = append(a.Keys, i.Key)
	}
	all[id] = a
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("keep the agreement: %w", err)
	}
	err = os.MkdirAll(filepath.Dir(s.Path), 0o700)
	if err == nil {
		err = atomicfile.Write(s.Path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep the agreement: %w", err)
	}
	return nil
}

// Agreed reports whether nothing needs agreement or the user gave it.
func (l *Loaded) Agreed(s ConsentStore) (bool, error) { return s.Agreed(l.Root, l.NeedsConsent()) }

// Agree keeps the user's agreement to everything in NeedsConsent.
func (l *Loaded) Agree(s ConsentStore, now time.Time) error {
	return s.Agree(l.Root, l.NeedsConsent(), now)
}

// RequireConsent is the refusal (fault.Refused) where agreement is needed and
// was not given.
func (l *Loaded) RequireConsent(s ConsentStore) error {
	ok, err := l.Agreed(s)
	if err != nil || ok {
		return err
	}
	var lines []string
	for _, i := range l.NeedsConsent() {
		lines = append(lines, "  "+i.String())
	}
	return fault.New(fault.Refused,
		"agree with --yes, or put the same values into your own config file",
		"this repository's file decides %s, and you have not agreed to it yet:\n%s", consentFor(l.NeedsConsent()), strings.Join(lines, "\n"))
}

// consentFor says what the items decide.
func consentFor(items []ConsentItem) string {
	var parts []string
	add := func(part string) {
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	for _, i := range items {
		switch {
		case strings.HasPrefix(i.Key, "sandbox."):
			add("what its commands may touch outside of the sandbox")
		case strings.HasSuffix(i.Key, ".command") || provider.StartsProgram(i.Value):
			add("which program is run instead of a model")
		default:
			add("where your model key goes")
		}
	}
	return strings.Join(parts, ", and ")
}

// repository is the name under which a checkout's agreement is kept.
func repository(root string) (string, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return "", fmt.Errorf("look for agreements: %w", err)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	return abs, nil
}

// digest ties the repository, the keys and their values together.
func digest(id string, items []ConsentItem) string {
	parts := []string{id}
	for _, i := range items {
		parts = append(parts, i.Key, i.Value)
	}
	sum := sha256.Sum256([]byte(words(parts)))
	return hex.EncodeToString(sum[:])
}

// read gives all agreements. A damaged file counts as none: asking again is
// safe, and the next agreement writes it anew.
func (s ConsentStore) read() (map[string]agreement, error) {
	all := map[string]agreement{}
	if s.Path == "" {
		return nil, fault.New(fault.Usage, "set HOME or XDG_STATE_HOME",
			"no folder is known to keep your agreement in")
	}
	data, err := os.ReadFile(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read agreements: %w", err)
	}
	if json.Unmarshal(data, &all) != nil || all == nil {
		return map[string]agreement{}, nil //nolint:nilerr // a damaged file holds no agreement: it is asked for again
	}
	return all, nil
}
