package sandbox

import (
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// cache are the download and build caches of one tool. Commands may write to them
// if the root has a sign of the tool, or a command names it: to no others, since
// many a cache holds programs that the user runs later (shells' start-up files,
// editors' plug-ins, tools that were installed). All fields are words.
type cache struct {
	tools string
	// signs are names of files, as patterns, of a project that uses the tool.
	signs string
	// places lie below the home directory; the user's cache directory may be
	// elsewhere than at .cache. Those that are missing are made if the tool is
	// there: inside, it could not. In patterns, and in files, which tools lock or
	// touch, only what exists counts.
	places, files string
	// vars name variables, or settings of go's, that say where a place is instead,
	// with what of it is granted after a colon.
	vars string
}

// caches: to let another tool have its cache, add a row. {id} is how poetry tells
// apart the environments of projects by their directories.
var caches = []cache{
	{tools: "go", signs: "go.mod go.work *.go", places: ".cache/go-build go/pkg/mod go/pkg/sumdb",
		vars: "GOCACHE GOMODCACHE GOPATH:pkg/mod GOPATH:pkg/sumdb"},
	{tools: "golangci-lint", signs: ".golangci.*", places: ".cache/golangci-lint", vars: "GOLANGCI_LINT_CACHE"},
	{tools: "staticcheck", places: ".cache/staticcheck", vars: "STATICCHECK_CACHE"},
	{tools: "node npm npx", signs: "package.json", places: ".npm/_cacache .npm/_logs .cache/node-gyp .node-gyp",
		files: ".npm/_update-notifier-last-checked",
		vars:  "npm_config_cache:_cacache npm_config_cache:_logs NPM_CONFIG_CACHE:_cacache NPM_CONFIG_CACHE:_logs"},
	{tools: "yarn", signs: "yarn.lock .yarnrc*", places: ".yarn/berry .cache/yarn .cache/Yarn", vars: "YARN_CACHE_FOLDER"},
	{tools: "pnpm", signs: "pnpm-*.yaml",
		places: ".pnpm-store .local/share/pnpm/store Library/pnpm/store .cache/pnpm .local/state/pnpm"},
	{tools: "bun", signs: "bun.lock* bunfig.toml", places: ".bun/install/cache"},
	{tools: "deno", signs: "deno.json* deno.lock", places: ".cache/deno", vars: "DENO_DIR"},
	{tools: "python3 python pip", signs: "pyproject.toml setup.py requirements*.txt Pipfile *.py", places: ".cache/pip",
		vars: "PIP_CACHE_DIR"},
	{tools: "uv uvx", signs: "uv.lock pyproject.toml", places: ".cache/uv", vars: "UV_CACHE_DIR"},
	{tools: "poetry", signs: "poetry.lock pyproject.toml",
		places: ".cache/pypoetry/cache .cache/pypoetry/artifacts .cache/pypoetry/virtualenvs/*-{id}-py*"},
	{tools: "black", signs: "pyproject.toml", places: ".cache/black"},
	{tools: "pylint", signs: "pylintrc .pylintrc pyproject.toml", places: ".cache/pylint"},
	{tools: "cargo", signs: "Cargo.toml", places: ".cargo/registry .cargo/git",
		files: ".cargo/.package-cache .cargo/.package-cache-mutate .cargo/.global-cache",
		vars: "CARGO_TARGET_DIR CARGO_HOME:registry CARGO_HOME:git CARGO_HOME:.package-cache " +
			"CARGO_HOME:.package-cache-mutate CARGO_HOME:.global-cache"},
	{tools: "sccache", signs: "Cargo.toml CMakeLists.txt", places: ".cache/sccache", vars: "SCCACHE_DIR"},
	{tools: "ccache", signs: "CMakeLists.txt Makefile meson.build *.c *.cc *.cpp", places: ".cache/ccache .ccache",
		vars: "CCACHE_DIR"},
	{tools: "mvn java", signs: "pom.xml", places: ".m2/repository"},
	// The wrapper locks a file beside the distribution at each start.
	{tools: "gradle java", signs: "*.gradle *.gradle.kts", places: ".gradle/caches .gradle/daemon .gradle/native .gradle/wrapper " +
		".gradle/notifications .gradle/workers .gradle/.tmp .gradle/kotlin-profile .gradle/undefined-build",
		vars: "GRADLE_USER_HOME"},
	{tools: "sbt", signs: "*.sbt", places: ".ivy2/cache .sbt/boot .cache/coursier/v1"},
	{tools: "ruby bundle", signs: "Gemfile *.gemspec", places: ".bundle/cache"},
	{tools: "composer", signs: "composer.json", places: ".composer/cache .cache/composer", vars: "COMPOSER_CACHE_DIR"},
	{tools: "mix", signs: "mix.exs", places: ".hex/packages", files: ".hex/cache.ets"},
	{tools: "dotnet", signs: "*.sln *.slnx *.??proj", places: ".nuget/packages .local/share/NuGet/http-cache " +
		".local/share/NuGet/v3-cache .dotnet/TelemetryStorageService", vars: "NUGET_PACKAGES"},
	{tools: "cabal stack", signs: "*.cabal stack.yaml", places: ".cabal/packages .cabal/store .cache/cabal .stack/pantry .stack/snapshots"},
	{tools: "zig", signs: "build.zig", places: ".cache/zig", vars: "ZIG_GLOBAL_CACHE_DIR"},
	{tools: "dart flutter", signs: "pubspec.yaml",
		places: ".pub-cache/hosted .pub-cache/hosted-hashes .pub-cache/git .pub-cache/_temp", vars: "PUB_CACHE"},
	{tools: "swift", signs: "Package.swift", places: ".cache/org.swift.swiftpm .cache/clang"},
	{tools: "bazel bazelisk", signs: "MODULE.bazel WORKSPACE WORKSPACE.bazel", places: ".cache/bazel"},
	{tools: "dune", signs: "dune-project", places: ".cache/dune"},
}

// cacheDirs are where tools keep their caches, each in a folder of its own.
func (p *Plan) cacheDirs() []string {
	if p.c.Home == "" {
		return nil
	}
	dirs := []string{filepath.Join(p.c.Home, ".cache")}
	if p.c.Getenv != nil {
		if dir := p.c.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	if runtime.GOOS == "darwin" {
		dirs = append(dirs, filepath.Join(p.c.Home, "Library", "Caches"))
	}
	return dirs
}

// cachePlaces lists the caches of the project's tools, and makes those that a tool
// here will want.
func (p *Plan) cachePlaces() []string {
	var list []string
	in := project{c: p.c}
	for _, tool := range caches {
		if !in.uses(tool) {
			continue
		}
		installed := slices.ContainsFunc(strings.Fields(tool.tools), in.installed)
		for _, v := range strings.Fields(tool.vars) {
			list = append(list, p.named(v, installed)...)
		}
		if p.c.Home == "" {
			continue
		}
		for _, place := range strings.Fields(tool.places) {
			list = append(list, p.below(place, installed)...)
		}
		for _, file := range strings.Fields(tool.files) {
			list = append(list, filepath.Join(p.c.Home, filepath.FromSlash(file)))
		}
	}
	return list
}

// named gives the places that a variable names. They are the user's to have: they
// are made, and not taken away again.
func (p *Plan) named(v string, make bool) (list []string) {
	name, part, _ := strings.Cut(v, ":")
	for _, path := range filepath.SplitList(p.setting(name)) {
		if !filepath.IsAbs(path) || inside(p.c.Home, path) {
			continue
		}
		path = filepath.Join(path, filepath.FromSlash(part))
		if make && !strings.HasPrefix(filepath.Base(path), ".") {
			_ = os.MkdirAll(path, 0o755) // a failure shows where it is used
		}
		list = append(list, path)
	}
	return list
}

// below gives a place below the home directory, wherever the user's caches are.
func (p *Plan) below(place string, make bool) (list []string) {
	paths := []string{filepath.Join(p.c.Home, filepath.FromSlash(place))}
	if name, ok := strings.CutPrefix(place, ".cache/"); ok {
		paths = nil
		for _, dir := range p.cacheDirs() {
			paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	for i, path := range paths {
		if strings.Contains(path, "*") {
			sum := sha256.Sum256([]byte(p.view))
			id := base64.URLEncoding.EncodeToString(sum[:])[:8]
			found, _ := filepath.Glob(strings.ReplaceAll(path, "{id}", id)) // the patterns are right
			list = append(list, found...)
			continue
		}
		if _, err := os.Stat(path); err != nil && make && i == len(paths)-1 {
			p.makeDir(path)
		}
		list = append(list, path)
	}
	return list
}
