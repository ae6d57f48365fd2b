package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/regular"
)

// Source is the layer that decided a key.
type Source string

// The layers, from the strongest to the weakest.
const (
	FromFlag        Source = "flag"
	FromEnvironment Source = "environment"
	FromProject     Source = "project"
	FromUser        Source = "user"
	FromDefault     Source = "default"
)

// Origin is where an effective value came from.
type Origin struct {
	Source Source
	// File and Line are set for project and user.
	File string
	Line int
	// Name is the flag's (without dashes) or the variable's.
	Name string
	// Note says why the value is not simply that of the strongest layer.
	Note string
}

func (o Origin) String() string {
	s := string(o.Source)
	switch o.Source {
	case FromFlag:
		s += " --" + o.Name
	case FromEnvironment:
		s += " " + o.Name
	case FromProject, FromUser:
		s += fmt.Sprintf(" %s:%d", o.File, o.Line)
	}
	if o.Note != "" {
		s += " (" + o.Note + ")"
	}
	return s
}

// LoadOptions say where settings are looked for.
type LoadOptions struct {
	// Root is the repository's top folder; empty: no project file.
	Root string
	// Flags of the command; only those that were changed count. Names that
	// are no settings are left alone.
	Flags *pflag.FlagSet
	// Getenv is os.Getenv where nil.
	Getenv func(string) string
	// Environ is what os.Environ gives, for warnings of misspelt variables; may
	// be nil.
	Environ []string
	// UserFile is the user's file; empty: config.yml under
	// $XDG_CONFIG_HOME/booty, else ~/.config/booty. It need not exist.
	UserFile string
	// RequireProject makes a missing project file or test_command an error.
	RequireProject bool
}

// Loaded is the outcome of Load.
type Loaded struct {
	Config
	// Root is the repository's top folder, as given.
	Root string
	// Path is the project file, empty where there is none.
	Path string
	// UserPath is the user file that was read, empty where there is none.
	UserPath string
	// Origins has a row for every key of the table.
	Origins  map[string]Origin
	Warnings []string

	// project and user are the files as they were written, empty where there are none.
	project, user *document
}

// Load reads all layers. Its errors are of kind fault.Usage and tell every
// problem, one a line.
func Load(o LoadOptions) (*Loaded, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	l := &Loaded{Root: o.Root, Origins: map[string]Origin{}, project: &document{}, user: &document{}}
	if err := l.readFiles(o); err != nil {
		return nil, err
	}
	problems := slices.Concat(sorted(l.project.problems), sorted(l.user.problems))
	if len(problems) > 0 {
		return nil, problemsError(problems)
	}
	table := keys()
	env, wrong := fromEnvironment(table, o.Getenv)
	given, wrongFlags := fromFlags(table, o.Flags)
	if problems = slices.Concat(wrongFlags, wrong); len(problems) > 0 {
		return nil, problemsError(problems)
	}
	s := stack{[4]layer{l.user.layer(table, FromUser), l.project.layer(table, FromProject), env, given},
		map[string]string{}}
	s.connection()
	s.lowerOnly()
	l.Warnings = append(s.tightenOnly(), misspelt(o.Environ, table)...)
	for _, p := range slices.Concat(l.project.removed, l.user.removed) {
		l.Warnings = append(l.Warnings, p.String())
	}
	if err := s.settle(l, table); err != nil {
		return nil, fmt.Errorf("put the settings together: %w", err)
	}
	if len(l.TestCommand) == 0 && (l.Path != "" || o.RequireProject) {
		return nil, problemsError([]problem{{where: filepath.Base(l.Path),
			text: "test_command is missing: it is the one key that must be there"}})
	}
	for i := range l.Gates {
		if l.Gates[i].Timeout == 0 {
			l.Gates[i].Timeout = l.Timeout
		}
	}
	return l, nil
}

// Check decodes the text of a project file strictly; path is for messages.
func Check(path string, data []byte) error {
	d := decode(path, data, false)
	if len(d.problems) == 0 && !d.has("test_command") {
		d.problemf(0, "test_command is missing")
	}
	if len(d.problems) > 0 {
		return problemsError(sorted(d.problems))
	}
	return nil
}

func problemsError(ps []problem) error {
	lines := make([]string, 0, len(ps))
	inFile := false
	for _, p := range ps {
		lines = append(lines, p.String())
		inFile = inFile || !strings.HasPrefix(p.where, "--")
	}
	if !inFile { // what is wrong with a flag is all said
		return fault.New(fault.Usage, "", "%s", strings.Join(lines, "\n"))
	}
	return fault.New(fault.Usage,
		"every key: https://github.com/booty-cli/booty/blob/main/docs/configuration.md; `booty config schema` prints the schema for editors",
		"%s", strings.Join(lines, "\n"))
}

func (l *Loaded) readFiles(o LoadOptions) error {
	path, err := projectFile(o.Root)
	if err != nil {
		return err
	}
	if path == "" && o.RequireProject {
		return fault.New(fault.Usage, "run `booty init` to write one that fits this repository",
			"no .booty.yml in %s: without a test_command nothing could be verified", o.Root)
	}
	if path != "" {
		data, err := readSmall(path)
		if err != nil {
			return err
		}
		// Messages name the file as it lies in the repository.
		l.project = decode(filepath.Base(path), data, false)
		l.Path = path
	}
	user := o.UserFile
	if user == "" {
		user = DefaultUserFile(o.Getenv)
	}
	if user == "" {
		return nil
	}
	data, err := readSmall(user)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	l.user, l.UserPath = decode(user, data, true), user
	return nil
}

// projectFile finds .booty.yml or .booty.yaml; two of them would leave open
// which one counts.
func projectFile(root string) (string, error) {
	if root == "" {
		return "", nil
	}
	var found []string
	for _, name := range []string{".booty.yml", ".booty.yaml"} {
		p := filepath.Join(root, name)
		if _, err := os.Stat(p); err == nil {
			found = append(found, p)
		} else if to, e := os.Readlink(p); e == nil && errors.Is(err, fs.ErrNotExist) {
			return "", fault.New(fault.Usage, "fix or remove the link",
				"%s is a link to %s, which does not exist", name, to)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fault.New(fault.Usage, "", "read %s: %w", name, err)
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", fault.New(fault.Usage, "keep one of them", "both .booty.yml and .booty.yaml are in %s", root)
}

// maxFile is far beyond what a person writes.
const maxFile = 1 << 20

func readSmall(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fault.New(fault.Usage, "", "read the settings: %w", err)
	}
	if st.IsDir() || st.Size() > maxFile {
		return nil, fault.New(fault.Usage, "", "%s is not a settings file", path)
	}
	data, err := regular.Read(path, maxFile)
	if err != nil {
		return nil, fault.New(fault.Usage, "", "read the settings: %w", err)
	}
	return data, nil
}

// DefaultUserFile is the place of the user's file; empty where no home is known.
func DefaultUserFile(getenv func(string) string) string {
	return xdg(getenv, "XDG_CONFIG_HOME", ".config", "config.yml")
}

// DefaultConsentFile is the place where agreements are kept.
func DefaultConsentFile(getenv func(string) string) string {
	return xdg(getenv, "XDG_STATE_HOME", filepath.Join(".local", "state"), "consent.json")
}

// xdg obeys the base directory rules: a relative path in a variable is no path.
func xdg(getenv func(string) string, variable, under, file string) string {
	if d := getenv(variable); filepath.IsAbs(d) {
		return filepath.Join(d, "booty", file)
	}
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE")
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, under, "booty", file)
}
