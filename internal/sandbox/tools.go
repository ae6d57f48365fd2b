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

// tool is what commands see and write of one tool below the home directory, which is
// hidden from them otherwise. All fields are words.
//
// Commands may write to its caches if the root has a sign of the tool, or a command
// names it: to no others, since many a cache holds programs that the user runs later.
type tool struct {
	names string
	// signs are names of files, as patterns, of a project that uses the tool.
	signs string
	// read are places below the home directory that are shown: programs, settings.
	read string
	// roots name variables, each of a place, or of several, to be shown.
	roots string
	// write are download and build caches below the home directory; the user's cache
	// directory may be elsewhere than at .cache. Those that are missing are made if the
	// tool is there: inside, it could not. In patterns, and in files, which tools lock or
	// touch, only what exists counts.
	write, files string
	// vars name variables, or settings of go's, that say where a cache is instead, with
	// what of it is granted after a colon.
	vars string
}

// toolTable is what is shown of the home directory: to let another tool work, add a row.
// {id} is how poetry tells apart the environments of projects by their directories.
var toolTable = []tool{
	{names: "git", read: ".gitconfig .config/git/config .config/git/ignore .config/git/attributes .gitignore " +
		".gitignore_global .gitattributes .gitmessage .gitmodules"},
	{names: "sh", read: ".local/bin .local/lib .local/include .local/libexec bin .config/locale.conf .terminfo .tool-versions .editorconfig"},

	{names: "go", signs: "go.mod go.work *.go", read: "go/bin sdk .config/go", roots: "GOROOT GOBIN",
		write: ".cache/go-build go/pkg/mod go/pkg/sumdb", vars: "GOCACHE GOMODCACHE GOPATH:pkg/mod GOPATH:pkg/sumdb"},
	{names: "golangci-lint", signs: ".golangci.*", write: ".cache/golangci-lint", vars: "GOLANGCI_LINT_CACHE"},
	{names: "staticcheck", write: ".cache/staticcheck", vars: "STATICCHECK_CACHE"},

	{names: "node npm npx", signs: "package.json", read: ".npmrc .npm/_cacache .npm-global .npm-packages .node_modules " +
		".local/share/npm .local/share/corepack .cache/node", roots: "NODE_PATH NPM_CONFIG_PREFIX npm_config_prefix",
		write: ".npm/_cacache .npm/_logs .cache/node-gyp .node-gyp", files: ".npm/_update-notifier-last-checked",
		vars: "npm_config_cache:_cacache npm_config_cache:_logs NPM_CONFIG_CACHE:_cacache NPM_CONFIG_CACHE:_logs"},
	{names: "nvm fnm n volta nodenv", read: ".nvm .fnm .local/share/fnm .local/state/fnm_multishells n .n .volta/bin .volta/tools " +
		".volta/cache .volta/log .volta/layout.v3 .volta/layout.v4 .volta/hooks.json .nodenv .nvmrc .node-version",
		roots: "NVM_DIR FNM_DIR FNM_MULTISHELL_PATH N_PREFIX VOLTA_HOME NODENV_ROOT"},
	{names: "yarn", signs: "yarn.lock .yarnrc*", read: ".yarnrc .yarnrc.yml .yarn .config/yarn .local/share/yarn",
		write: ".yarn/berry .cache/yarn .cache/Yarn", vars: "YARN_CACHE_FOLDER"},
	{names: "pnpm", signs: "pnpm-*.yaml", read: ".local/share/pnpm Library/pnpm .config/pnpm", roots: "PNPM_HOME",
		write: ".pnpm-store .local/share/pnpm/store Library/pnpm/store .cache/pnpm .local/state/pnpm"},
	{names: "bun", signs: "bun.lock* bunfig.toml", read: ".bun .bunfig.toml", roots: "BUN_INSTALL", write: ".bun/install/cache"},
	{names: "deno", signs: "deno.json* deno.lock", read: ".deno", roots: "DENO_INSTALL_ROOT", write: ".cache/deno", vars: "DENO_DIR"},
	{names: "playwright cypress puppeteer", read: ".cache/ms-playwright .cache/Cypress .cache/puppeteer .cache/selenium",
		roots: "PLAYWRIGHT_BROWSERS_PATH CYPRESS_CACHE_FOLDER PUPPETEER_CACHE_DIR"},

	{names: "python3 python pip", signs: "pyproject.toml setup.py requirements*.txt Pipfile *.py",
		read: ".config/pip .pip/pip.conf .pydistutils.cfg .config/pydistutils.cfg .config/matplotlib .local/share/virtualenvs " +
			".virtualenvs .local/share/jupyter",
		roots: "VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONUSERBASE WORKON_HOME", write: ".cache/pip", vars: "PIP_CACHE_DIR"},
	{names: "pyenv conda mamba pipx hatch", read: "Library/Python .pyenv .python-version .conda .condarc miniconda3 anaconda3 miniforge3 mambaforge " +
		"micromamba .local/share/mamba .local/share/pipx .local/pipx .local/share/hatch", roots: "PYENV_ROOT CONDA_PREFIX MAMBA_ROOT_PREFIX PIPX_HOME"},
	{names: "uv uvx", signs: "uv.lock pyproject.toml", read: ".local/share/uv/python .local/share/uv/tools .config/uv/uv.toml",
		roots: "UV_PYTHON_INSTALL_DIR UV_TOOL_DIR", write: ".cache/uv", vars: "UV_CACHE_DIR"},
	{names: "poetry", signs: "poetry.lock pyproject.toml", read: ".local/share/pypoetry .config/pypoetry/config.toml .cache/pypoetry",
		roots: "POETRY_HOME", write: ".cache/pypoetry/cache .cache/pypoetry/artifacts .cache/pypoetry/virtualenvs/*-{id}-py*"},
	{names: "black", signs: "pyproject.toml", write: ".cache/black"},
	{names: "pylint", signs: "pylintrc .pylintrc pyproject.toml", read: ".pylintrc .config/pylintrc .config/flake8", write: ".cache/pylint"},
	{names: "pre-commit", read: ".cache/pre-commit"},

	{names: "cargo", signs: "Cargo.toml", read: ".cargo/bin .cargo/env .cargo/config .cargo/config.toml .cargo/.crates.toml .cargo/.crates2.json",
		roots: "CARGO_INSTALL_ROOT", write: ".cargo/registry .cargo/git",
		files: ".cargo/.package-cache .cargo/.package-cache-mutate .cargo/.global-cache",
		vars: "CARGO_TARGET_DIR CARGO_HOME:registry CARGO_HOME:git CARGO_HOME:.package-cache " +
			"CARGO_HOME:.package-cache-mutate CARGO_HOME:.global-cache"},
	{names: "rustup", read: ".rustup", roots: "RUSTUP_HOME"},
	{names: "sccache", signs: "Cargo.toml CMakeLists.txt", write: ".cache/sccache", vars: "SCCACHE_DIR"},
	{names: "ccache", signs: "CMakeLists.txt Makefile meson.build *.c *.cc *.cpp", read: ".config/ccache .ccache",
		write: ".cache/ccache .ccache", vars: "CCACHE_DIR"},
	{names: "conan vcpkg cmake", read: ".conan2 .conan vcpkg .vcpkg .cmake .cache/vcpkg", roots: "CONAN_HOME VCPKG_ROOT"},

	{names: "mvn java", signs: "pom.xml", read: "Library/Java .m2 .mavenrc .java .jdks .local/share/java", roots: "JAVA_HOME MAVEN_HOME M2_HOME",
		write: ".m2/repository"},
	{names: "sdk jenv jabba", read: ".sdkman .jenv .jabba .java-version .sdkmanrc", roots: "SDKMAN_DIR JENV_ROOT"},
	// The wrapper locks a file beside the distribution at each start.
	{names: "gradle java", signs: "*.gradle *.gradle.kts", read: ".gradle .konan", roots: "GRADLE_HOME KONAN_DATA_DIR",
		write: ".gradle/caches .gradle/daemon .gradle/native .gradle/wrapper " +
			".gradle/notifications .gradle/workers .gradle/.tmp .gradle/kotlin-profile .gradle/undefined-build", vars: "GRADLE_USER_HOME"},
	{names: "sbt", signs: "*.sbt", read: ".sbt/boot .sbt/1.0/plugins .sbt/repositories .ivy2/local .local/share/coursier .cache/coursier " +
		".scala-build", write: ".ivy2/cache .sbt/boot .cache/coursier/v1"},
	{names: "adb", read: "Android/Sdk Library/Android/sdk", roots: "ANDROID_HOME ANDROID_SDK_ROOT"},

	{names: "ruby bundle", signs: "Gemfile *.gemspec", read: ".gem/ruby .gemrc .irbrc .local/share/gem/ruby .rbenv .rvm .rubies .ruby-version",
		roots: "GEM_HOME GEM_PATH BUNDLE_PATH RBENV_ROOT rvm_path", write: ".bundle/cache"},
	{names: "composer", signs: "composer.json", read: ".composer/vendor .composer/composer.json .config/composer/vendor " +
		".config/composer/config.json .config/composer/composer.json .phpenv", write: ".composer/cache .cache/composer", vars: "COMPOSER_CACHE_DIR"},
	{names: "mix", signs: "mix.exs", read: ".mix .hex/packages .asdf/installs/elixir .kiex .kerl", write: ".hex/packages", files: ".hex/cache.ets"},
	{names: "dotnet", signs: "*.sln *.slnx *.??proj", read: ".dotnet .nuget .config/NuGet", roots: "DOTNET_ROOT",
		write: ".nuget/packages .local/share/NuGet/http-cache " +
			".local/share/NuGet/v3-cache .dotnet/TelemetryStorageService", vars: "NUGET_PACKAGES"},
	{names: "cabal stack", signs: "*.cabal stack.yaml", read: ".ghcup .cabal .local/state/cabal .config/cabal .stack",
		write: ".cabal/packages .cabal/store .cache/cabal .stack/pantry .stack/snapshots"},
	{names: "zig", signs: "build.zig", write: ".cache/zig", vars: "ZIG_GLOBAL_CACHE_DIR"},
	{names: "dart flutter", signs: "pubspec.yaml", read: "flutter .flutter .pub-cache fvm", roots: "FLUTTER_ROOT",
		write: ".pub-cache/hosted .pub-cache/hosted-hashes .pub-cache/git .pub-cache/_temp", vars: "PUB_CACHE"},
	{names: "swift", signs: "Package.swift", read: "Library/Developer .swiftpm/configuration .local/share/swiftly", write: ".cache/org.swift.swiftpm .cache/clang"},
	{names: "bazel bazelisk", signs: "MODULE.bazel WORKSPACE WORKSPACE.bazel", read: ".bazelrc .cache/bazelisk", write: ".cache/bazel"},
	{names: "dune", signs: "dune-project", read: ".opam", write: ".cache/dune"},
	{names: "julia R lua", read: ".julia/registries .julia/packages .julia/artifacts .julia/compiled .julia/juliaup .juliaup " +
		".elan R .Rprofile .luarocks", roots: "JULIA_DEPOT_PATH R_LIBS_USER"},
	{names: "turbo", signs: "turbo.json", write: ".cache/turbo"},
	{names: "mise asdf", read: ".asdf .asdfrc .default-npm-packages .local/share/mise .local/state/mise .config/mise .cache/mise " +
		".local/share/rtx .proto .goenv .tfenv .local/share/aquaproj-aqua", roots: "ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR"},
	{names: "brew nix", read: ".linuxbrew .nix-profile .local/state/nix/profiles .nix-defexpr .config/nix", roots: "HOMEBREW_PREFIX"},
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
func (p *Plan) cachePlaces(in *project) []string {
	var list []string
	for _, row := range toolTable {
		if !in.uses(row) {
			continue
		}
		installed := slices.ContainsFunc(strings.Fields(row.names), in.installed)
		for _, v := range strings.Fields(row.vars) {
			list = append(list, p.named(v, installed)...)
		}
		if p.c.Home == "" {
			continue
		}
		for _, place := range strings.Fields(row.write) {
			list = append(list, p.below(place, installed)...)
		}
		for _, file := range strings.Fields(row.files) {
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
		if make && i == len(paths)-1 {
			p.makeDir(path)
		}
		list = append(list, path)
	}
	return list
}
