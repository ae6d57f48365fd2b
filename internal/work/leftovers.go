package work

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/workspace"
)

// What setup and earlier builds left in places that git ignores belongs to no
// state, and yet checks read it. Installed packages are kept as they are after the
// baseline; of the rest it is noted what the checks change.

// packageDirs are the folders of installed packages, beside a manifest.
var packageDirs = []string{"node_modules", ".venv", "venv", "env", "vendor", "deps"}

// builtDirs and builtFiles are what tools write again with every run: caches and
// build outputs.
var (
	builtDirs = strings.Fields(`__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .hypothesis .eggs htmlcov
		.cache .vite .vitest .next .nuxt .turbo .parcel-cache .svelte-kit .angular .nyc_output coverage .yarn .pnpm-store
		target build dist out bin obj _build .gradle .kotlin .mvn classes Debug Release CMakeFiles .build .swiftpm DerivedData
		log logs tmp temp .terraform .idea .vscode .bundle .dart_tool elm-stuff .stack-work dist-newstyle zig-out zig-cache .zig-cache`)
	builtFiles = []string{
		"*.py[cod]", "*.o", "*.obj", "*.a", "*.so", "*.d", "*.class", "*.log", "*.tsbuildinfo", ".eslintcache",
		".stylelintcache",
		".coverage", ".coverage.*", "coverage.*", "lcov.info", "*.prof", "*.gcda", "*.gcno", ".DS_Store", "*.pid",
		"*.swp", "*.tmp", ".phpunit.*",
	}
)

// apart tells names of entries that are packages, caches or build outputs.
func apart(name string) bool {
	if slices.Contains(packageDirs, name) || slices.Contains(builtDirs, name) ||
		strings.HasPrefix(name, "cmake-build-") || strings.HasSuffix(name, ".egg-info") {
		return true
	}
	return slices.ContainsFunc(builtFiles, func(pattern string) bool {
		is, err := path.Match(pattern, name)
		return err == nil && is
	})
}

// leftovers are what setup and earlier builds left in a work tree.
type leftovers struct {
	stood *workspace.Stood
	// packages are the folders of installed packages as the baseline found them.
	packages map[string]string
}

// note takes what is there before the checks first run.
func (l *leftovers) note(ctx context.Context, c *checks) (err error) {
	if l.stood != nil || c.strict || c.cage.meddling.watch == nil {
		return nil
	}
	l.packages = map[string]string{}
	for _, dir := range c.installed() {
		l.packages[dir] = glimpse(dir)
	}
	l.stood, err = c.cage.repo.Stood(ctx, apart)
	return err
}

// settle takes what the baseline's commands wrote to for their habit. Packages
// that they left alone are read-only from now on.
func (l *leftovers) settle(c *checks) {
	if l.stood == nil {
		return
	}
	l.stood.Changed()
	var kept []string
	for dir, was := range l.packages {
		if glimpse(dir) == was {
			kept = append(kept, dir)
		}
	}
	slices.Sort(kept)
	c.box.Fix(kept, packageCaches)
}

// changed are the ignored files that the checks have written to since.
func (l *leftovers) changed() []string {
	if l.stood == nil {
		return nil
	}
	return l.stood.Changed()
}

// packageCaches are folders of tools among the packages, which they write to.
var packageCaches = []string{".cache", ".vite", ".vitest", ".tmp"}

// keepsPackages says whether the installed packages are kept as they are.
func (c *checks) keepsPackages() bool {
	return !slices.ContainsFunc(c.installed(), func(dir string) bool { return c.box.Writable(dir, sandbox.Loosening{}) })
}

// installed lists the folders of installed packages.
func (c *checks) installed() []string {
	root := c.cage.repo.Root()
	places := []string{"."}
	for _, manifest := range c.setups.files {
		places = append(places, path.Dir(manifest))
	}
	slices.Sort(places)
	var found []string
	for _, place := range slices.Compact(places) {
		for _, name := range packageDirs {
			dir := filepath.Join(root, filepath.FromSlash(path.Join(place, name)))
			if info, err := os.Lstat(dir); err == nil && info.IsDir() {
				found = append(found, dir)
			}
		}
	}
	return found
}

// glimpse tells from the names and times of its first folders whether something was
// installed or removed.
func glimpse(dir string) string {
	var b strings.Builder
	look := func(pattern string) {
		found, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are right
		for _, name := range found {
			if slices.Contains(packageCaches, filepath.Base(name)) {
				continue
			}
			if info, err := os.Lstat(name); err == nil {
				fmt.Fprintln(&b, name, info.ModTime().UnixNano())
			}
		}
	}
	look("*")
	look("@*/*")
	look("lib/python*/site-packages/*")
	return b.String()
}
