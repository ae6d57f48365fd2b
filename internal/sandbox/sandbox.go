// Package sandbox says what a command may touch and makes it so, with what the
// system offers. It starts nothing itself: [Plan.Wrap] changes a command before
// its start.
//
// Words. A place is a file or directory with all that is in it. The root is the
// work tree. A secret is a place that holds what others must not have:
// credentials, key rings, browser profiles, booty's own files.
//
// What comes in: a root, what more may be written or must be hidden, and the
// commands that will run. What goes out: a plan that changes commands. It never
// changes the user's files, and decides nothing about a command's result.
//
// Promises, where the system keeps them ([Plan.Notes] says what it does not):
//
//   - Files are written in the root, in temporary directories, in the caches of
//     the project's own tools and in the places that the user named, and nowhere
//     else; not in places that are to stay as they are ([Config.ReadOnly]).
//   - Of the home directory commands see what is on PATH, known tools with what they
//     cache, the user's settings of git, and what the user names. Everything outside may be
//     read but for secrets, devices, the terminals of others and denied places. With
//     mounts, what is hidden is not there; without, it cannot be read or listed.
//   - Commands may see the root at another path, with directories of the user's in
//     it that they can change without the user's changing ([Config.View],
//     [Config.Overlays]). Where they cannot, that path is denied ([Config.Denied]):
//     [Plan.Checkout] reports which.
//   - With mounts, commands see no processes but their own, and reach none: not by
//     signals, limits or tracing. Signals and tracing are denied without, too.
//   - Without network there is loopback only.
//   - Variables that look secret, and those that lead to agents, are withheld;
//     XDG_RUNTIME_DIR is an empty directory.
//
// How: Linux by mounts and processes of the command's own, with a user namespace unless it
// runs as root, and by Landlock (since Linux 5.19), which keeps the command from undoing
// them, as does the loss of its capabilities; the network by a namespace; macOS by
// sandbox-exec; elsewhere only the promise about variables is kept.
//
// Not defended: sockets of services that run as the user (a container engine, a
// display) are as good as the services behind them; caches that are granted are
// shared with the user's own builds; what the files in the root say, once the
// user runs them; a secret file that is replaced while a command runs.
package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
)

// Mode is how much is asked of the system.
type Mode string

const (
	// Auto uses what there is and notes what there is not.
	Auto Mode = "auto"
	// Require fails where anything is missing.
	Require Mode = "require"
	// Off leaves the commands alone.
	Off Mode = "off"
)

// Config is what a plan is made of; Root is required.
type Config struct {
	Mode Mode
	// Root is the work tree.
	Root string
	// View is the absolute path, that of a directory, at which commands see the
	// root, instead of what is there; "" for the root itself. Paths below the root
	// in the other fields are those outside.
	View string
	// Overlays are directories of the user's in the root. Both come with any Mode,
	// where [Mounts] reports that the system has them; with Off, an ordinary user's
	// commands cannot use programs that run as another user (sudo) then.
	Overlays []Overlay
	// Shown are directories that commands see, read-only, at another place outside of the
	// root: what the view would hide. It takes mounts, like View.
	Shown []Shown
	// Network lets the commands use the network.
	Network bool
	// Write are further places to write to: absolute, relative to the root, or
	// beginning with "~/".
	Write []string
	// ReadOnly are places that the commands may not write to, though they lie where
	// they may: absolute. A place of Write that holds one opens it.
	ReadOnly []string
	// Read are places that the commands may read although they lie in one of Denied or in the
	// home directory: like those of Write.
	Read []string
	// Denied are places that the commands may neither read nor write, but for those of Read
	// in them: the user's checkout, where they work on another tree. It is no denial where
	// the view takes the place of one.
	Denied []string
	// Env names variables that stay although they lead out of the sandbox.
	Env []string
	// Commands are those that will be run: the tools that they name get their
	// caches, as do those that the root has a sign of.
	Commands []string
	// Secrets are further secrets: where booty keeps its own files.
	Secrets []string
	// Home is the home directory; that of the user where empty.
	Home     string
	noMounts bool // as where the system has none: for tests
	// Getenv and LookPath see the environment; os.Getenv and exec.LookPath where nil.
	Getenv   func(string) string
	LookPath func(string) (string, error)
}

// Plan is what commands get. Close removes what it made.
type Plan struct {
	// Notes say what is not defended here that was asked for, a sentence each.
	Notes []string
	// Active reports whether files are defended by the system.
	Active bool

	c            Config
	view         string // where commands see the root
	tmp          string
	filtered     []Shown  // files without their secrets
	runtime      string   // in place of the user's runtime directory
	npm          string   // a variable for npm
	made         []string // directories, each after the one that it is in
	rules        rules
	offline      bool
	canMount     bool // commands can have mounts of their own
	canFix       bool // the system can keep places read-only
	ownProcesses bool // commands see no others
	ownUsers     bool // its namespaces take one of users
	disabled     bool

	mu       sync.Mutex
	withheld []string // names of variables that commands did not get
}

// rules are the places of a plan, absolute and without symbolic links.
type rules struct {
	Read    []string `json:"r"`           // and run
	Write   []string `json:"w"`           // and read
	Fixed   []string `json:"f,omitempty"` // mounted read-only
	Open    []string `json:"p,omitempty"` // in these, and writable all the same
	Offline bool     `json:"o,omitempty"`
	Free    bool     `json:"n,omitempty"` // nothing is restricted: mounts only

	Private   bool              `json:"m,omitempty"` // mounts of its own
	Temp      string            `json:"e,omitempty"` // a directory to mount what is empty on for a moment
	Hidden    []string          `json:"h,omitempty"` // something empty is in the place of these
	Kept      []string          `json:"b,omitempty"` // in these, and seen all the same
	Links     map[string]string `json:"i,omitempty"` // symbolic links in these
	Devices   []string          `json:"c,omitempty"` // all that is in /dev besides terminals of its own
	Users     bool              `json:"u,omitempty"` // in a user namespace
	Processes bool              `json:"q,omitempty"` // in a namespace of processes
	Root      string            `json:"t,omitempty"`
	View      string            `json:"v,omitempty"` // where the root is shown
	Dir       string            `json:"d,omitempty"` // the working directory
	Overlays  []Overlay         `json:"l,omitempty"`
	Shown     []Shown           `json:"k,omitempty"`

	secrets []string
	root    string
	home    view
}

// New makes a plan. With Require it fails if the system lacks a part of it.
func New(c Config) (*Plan, error) {
	if c.Mode == "" {
		c.Mode = Auto
	}
	if err := complete(&c); err != nil {
		return nil, err
	}
	p := &Plan{c: c, view: c.Root, disabled: c.Mode == Off}
	if p.disabled {
		p.Notes = []string{
			"the commands run without a sandbox (sandbox.mode: off): they may read and write whatever you may",
		}
		if c.View != c.Root || len(c.Overlays) > 0 {
			p.show(p.tryMounts())
		}
		p.rules = rules{Free: true}
		return p, nil
	}
	in := tempDir(c.View)
	if err := cmp.Or(makeTemp(in, &p.tmp), makeTemp(in, &p.runtime)); err != nil {
		return nil, errors.Join(fault.New(fault.Environment, "export TMPDIR=/tmp",
			"make the temporary directory of the checks: %w", err), p.Close())
	}
	missing := p.probe()
	if len(missing) > 0 && c.Mode == Require {
		return nil, errors.Join(fault.New(fault.Refused, "set sandbox.mode: auto to continue without it",
			"sandbox.mode is require, but %s", strings.Join(missing, "; ")), p.Close())
	}
	p.Notes = append(p.Notes, missing...)
	p.show(nil)
	of := &project{c: c}
	p.rules = p.plan(of)
	p.npm = p.makeNPMCache(of)
	p.rules.Fixed = p.fixable()
	return p, nil
}

// show decides where the commands see the root.
func (p *Plan) show(err error) {
	switch asked := p.c.View != p.c.Root || len(p.c.Overlays) > 0; {
	case p.canMount:
		p.view = p.c.View
	case asked && err != nil:
		p.Notes = append(p.Notes,
			fmt.Sprintf("the work tree cannot be shown to the commands in place of yours (%v)", err))
	case asked:
		p.Notes = append(p.Notes, "the work tree cannot be shown to the commands in place of yours")
	}
}

// complete fills in what c leaves open and resolves its paths.
func complete(c *Config) error {
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	if c.LookPath == nil {
		c.LookPath = exec.LookPath
	}
	if c.Home == "" {
		c.Home, _ = os.UserHomeDir() // without one there is nothing of the user's to hide
	}
	if c.Home != "" {
		c.Home = resolve(c.Home)
	}
	root, err := filepath.Abs(c.Root)
	if err != nil {
		return fmt.Errorf("find the work tree: %w", err)
	}
	c.Root = resolve(root)
	return checkMounts(c)
}

// resolve gives path without symbolic links, as far as it exists.
func resolve(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(resolve(dir), filepath.Base(path))
}

// Temp is the temporary directory of the commands, "" where they have none of their own.
func (p *Plan) Temp() string {
	if p == nil {
		return ""
	}
	return p.tmp
}

// Close removes the temporary directory of the plan, and the folders of caches
// that were made for it and stayed empty.
func (p *Plan) Close() error {
	if p == nil || p.tmp == "" {
		return nil
	}
	p.unmake()
	return errors.Join(atomicfile.RemoveAll(p.tmp), atomicfile.RemoveAll(p.runtime))
}

// Wrap changes cmd so that it runs inside, under a supervisor ([proc.Options]). write are further places that it may write to,
// also in those that stay as they are for others.
func (p *Plan) Wrap(cmd *exec.Cmd, write ...string) error {
	if p == nil || p.disabled && !p.canMount {
		return nil
	}
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	if !p.disabled {
		cmd.Env = p.environment(cmd.Env)
	}
	r := p.rules
	for _, path := range write {
		path = resolve(path)
		r.Write = append(r.Write[:len(r.Write):len(r.Write)], p.seen(path))
		r.Fixed = slices.DeleteFunc(slices.Clone(r.Fixed), func(f string) bool { return inside(f, path) })
		if slices.ContainsFunc(r.Fixed, func(f string) bool { return inside(path, f) }) {
			r.Open = append(r.Open, path)
		}
	}
	if !p.Active {
		r.Read, r.Write = nil, nil
	}
	for _, path := range write {
		r.home.keepNamed(resolve(path))
	}
	if p.canMount {
		p.mountsOf(&r, cmd)
	}
	if len(r.Read)+len(r.Fixed) == 0 && !r.Offline && !r.Private {
		return nil
	}
	return p.enclose(cmd, r)
}

// mountsOf gives a command the mounts of its own.
func (p *Plan) mountsOf(r *rules, cmd *exec.Cmd) {
	r.Private, r.Processes, r.Users = true, p.ownProcesses, p.ownUsers
	r.Root, r.View, r.Overlays = p.c.Root, p.view, p.c.Overlays
	r.Shown = slices.Concat(p.c.Shown, p.filtered)
	if !p.disabled {
		r.Hidden, r.Kept, r.Links = p.hidden(), r.home.places, r.home.links
	}
	for _, o := range r.Overlays {
		if o.File != "" {
			continue
		}
		p.makeTarget(o.Target)
	}
	dir := cmd.Dir
	if dir == "" {
		dir, _ = os.Getwd() // as exec does
	}
	if dir = resolve(dir); inside(dir, r.Root) {
		r.Dir = p.seen(dir) // entered once more: what is there by now may be a mount
	}
	if r.View != r.Root && r.Dir != "" {
		cmd.Env = append(without(cmd.Env, "PWD"), "PWD="+r.Dir)
		cmd.Path = p.seen(cmd.Path)
	}
}

// fixable lists what of the read-only places lies where the commands may write,
// if the system can defend it there.
func (p *Plan) fixable() []string {
	if !p.canFix {
		return nil
	}
	var list []string
	for _, path := range p.c.ReadOnly {
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		path = resolve(path)
		opened := slices.ContainsFunc(p.c.Write,
			func(w string) bool { return inside(path, resolve(p.writePlace(w))) })
		if p.view != p.c.Root && inside(path, p.view) {
			continue // out of sight
		}
		within := !p.Active ||
			slices.ContainsFunc(p.rules.Write, func(w string) bool { return inside(p.seen(path), w) })
		if within && !opened && !inside(p.c.Root, path) &&
			!slices.ContainsFunc(list, func(f string) bool { return inside(path, f) }) {
			list = append(list, path)
		}
	}
	return list
}

// makeTarget makes the directory that an overlay is mounted on.
func (p *Plan) makeTarget(path string) {
	if resolve(filepath.Dir(path)) == filepath.Dir(path) {
		_ = os.MkdirAll(path, 0o755) // where it fails, something else is in its place
	}
}

// without gives env without a variable.
func without(env []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(env),
		func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
}

// inside reports whether path is place or in it.
func inside(path, place string) bool {
	if path == place {
		return true
	}
	return strings.HasPrefix(path,
		strings.TrimSuffix(place, string(filepath.Separator))+string(filepath.Separator))
}
