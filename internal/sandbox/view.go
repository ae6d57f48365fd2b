package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Overlay puts a directory of the user's into the root, where commands may write
// to it and the user's own never changes.
type Overlay struct {
	// Lower are the user's directory, and before it what lies over that.
	Lower []string
	// Upper takes what commands write and Work is a directory beside it that the
	// system needs; both must be on one file system that can do it, see [Mounts].
	Upper, Work string
	// Target is where commands see it, inside the root. A directory that is
	// missing is made; where something else is in its place by the time a command
	// starts, that stays.
	Target string
	// File, where given, names the one file of Lower that commands see: Target is a file then.
	// Whole is an empty directory on which the overlay is mounted for a moment.
	File, Whole string
}

// Shown puts a file or directory in the place of another one that exists, read-only.
type Shown struct{ From, At string }

// Support is what the system offers for [Config.View] and [Config.Overlays].
type Support struct {
	// View reports whether commands can have mounts of their own.
	View bool
	// Overlay reports whether overlays work with their upper directory where it
	// was tried.
	Overlay bool
	// Why says what is missing; "" where nothing is.
	Why string
}

// Mounts reports what the system offers, by trying it once: upper is a directory
// on the file system that upper directories will be on, lowers are directories
// of the user's to be overlaid. What it makes in upper it removes.
func Mounts(upper string, lowers ...string) Support { return mounts(upper, lowers) }

// View is where commands see the root: [Config.View], or the root itself where
// that was not given or the system does not give mounts.
func (p *Plan) View() string {
	if p == nil {
		return ""
	}
	return p.view
}

// seen gives a path as commands see it.
func (p *Plan) seen(path string) string { return moved(path, p.c.Root, p.view) }

// real gives the path of what commands see at path.
func (p *Plan) real(path string) string { return moved(path, p.view, p.c.Root) }

// moved gives path, which may be in from, as it is in to.
func moved(path, from, to string) string {
	if from == to || !inside(path, from) {
		return path
	}
	return filepath.Join(to, strings.TrimPrefix(path, from))
}

// checkMounts completes the view and the overlays.
func checkMounts(c *Config) error {
	if c.View == "" {
		c.View = c.Root
	} else {
		if !filepath.IsAbs(c.View) {
			return fmt.Errorf("the view of the work tree must be an absolute path, not %s", c.View)
		}
		c.View = resolve(c.View)
		if c.View != c.Root && (inside(c.View, c.Root) || inside(c.Root, c.View)) {
			return fmt.Errorf("the view %s and the work tree %s lie in each other", c.View, c.Root)
		}
		if info, err := os.Stat(c.View); err != nil || !info.IsDir() {
			return fmt.Errorf("the view of the work tree, %s, is not a directory", c.View)
		}
	}
	for i, o := range c.Overlays {
		target := filepath.Clean(o.Target)
		if dir := resolve(filepath.Dir(target)); !inside(dir, c.Root) || target == c.Root {
			return fmt.Errorf("the overlay of %s is outside of the work tree, at %s", o.Lower, o.Target)
		}
		lower := make([]string, len(o.Lower))
		for k, dir := range o.Lower {
			lower[k] = resolve(dir)
		}
		c.Overlays[i].Target, c.Overlays[i].Lower = filepath.Join(resolve(filepath.Dir(target)),
			filepath.Base(target)), lower
	}
	return nil
}
