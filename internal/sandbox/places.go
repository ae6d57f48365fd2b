package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// secretPlaces are below the home directory. To hide another, add a line.
// Files that tools need and that may hold a password among other things (Maven's
// settings.xml, Gradle's properties, pip.conf) are not here: without them the
// tools would not work.
var secretPlaces = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".oci", ".kube", ".docker/config.json", ".netrc", "_netrc",
	".git-credentials", ".config/git/credentials", ".config/gh", ".config/hub", ".config/glab-cli",
	".config/gcloud", ".config/doctl", ".config/op", ".config/1Password", ".config/Bitwarden",
	".config/Bitwarden CLI", ".config/rclone", ".config/sops", ".config/age", ".config/github-copilot",
	".config/hcloud", ".config/containers/auth.json", ".config/composer/auth.json", ".composer/auth.json",
	".cargo/credentials", ".cargo/credentials.toml", ".pypirc", ".gem/credentials",
	".local/share/gem/credentials", ".hex/hex.config", ".terraform.d/credentials.tfrc.json", ".terraformrc",
	".vault-token", ".fly", ".s3cfg", ".boto", ".pgpass", ".my.cnf", ".mylogin.cnf", ".password-store",
	".local/share/keyrings", ".local/share/kwalletd", ".kde/share/apps/kwallet", ".pki", ".bash_history",
	".zsh_history", ".local/share/fish/fish_history", ".psql_history", ".mysql_history", ".python_history",
	".node_repl_history", ".claude.json", ".claude", ".codex", ".gemini", ".config/opencode",
	".local/share/opencode", ".config/openai", ".mozilla", ".thunderbird", ".config/google-chrome",
	".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera",
	".config/Signal", ".config/Slack", ".config/discord", "snap/firefox", "snap/chromium",
	".var/app/org.mozilla.firefox", ".var/app/com.google.Chrome", ".var/app/org.chromium.Chromium",
	".var/app/com.brave.Browser", ".bitcoin", ".ethereum", ".electrum", "Library/Keychains",
	"Library/Cookies", "Library/Safari", "Library/Mail", "Library/Messages",
	"Library/Application Support/Google/Chrome", "Library/Application Support/Firefox",
	"Library/Application Support/BraveSoftware", "Library/Application Support/Microsoft Edge",
	"Library/Application Support/Arc", "Library/Application Support/1Password",
	"Library/Application Support/Slack", "Library/Group Containers", ".config/booty", ".local/state/booty",
}

// secretVariables name files or directories that are secrets wherever they are.
var secretVariables = []string{
	"AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "GOOGLE_APPLICATION_CREDENTIALS", "KUBECONFIG",
	"DOCKER_CONFIG", "GNUPGHOME",
	"NETRC", "GH_CONFIG_DIR", "CLOUDSDK_CONFIG", "AZURE_CONFIG_DIR", "PGPASSFILE",
}

// tokenFiles are secrets only if they hold one of their words: most do not, and
// then the tools should find them.
var tokenFiles = map[string][]string{
	".npmrc": {"_auth", "_password"}, ".yarnrc.yml": {"npmAuth"}, ".yarnrc": {"_auth"},
	".bunfig.toml": {"token", "password"},
}

// secrets lists what exists of the secrets.
func (p *Plan) secrets() []string {
	c := p.c
	var list []string
	add := func(path string) {
		if path == "" || !filepath.IsAbs(path) {
			return
		}
		if _, err := os.Lstat(path); err != nil {
			return
		}
		path = resolve(path)
		if path != "/" && !inside(c.Home, path) && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	for _, s := range c.Secrets {
		add(s)
	}
	for _, name := range secretVariables {
		for _, path := range filepath.SplitList(c.Getenv(name)) {
			add(path)
		}
	}
	add("/run/secrets")
	if c.Home == "" {
		return list
	}
	for _, s := range secretPlaces {
		add(filepath.Join(c.Home, filepath.FromSlash(s)))
	}
	for _, base := range []string{c.Getenv("XDG_CONFIG_HOME"), c.Getenv("XDG_STATE_HOME")} {
		if base != "" {
			add(filepath.Join(base, "booty"))
			add(filepath.Join(base, "gh"))
		}
	}
	for name, marks := range tokenFiles {
		path := filepath.Join(c.Home, name)
		text, err := os.ReadFile(path)
		if err == nil && slices.ContainsFunc(marks,
			func(m string) bool { return bytes.Contains(text, []byte(m)) }) {
			add(path)
			p.Notes = append(p.Notes,
				"~/"+name+" holds a token and is hidden from the commands; a command that needs it can have it as a variable named in sandbox.env")
		}
	}
	return list
}

// cache are the caches of one tool, below the home directory. They are made if
// the tool is there, the root has a sign of it, and they are not: inside, it
// could not make them. Those that stay empty are taken away again by Close.
type cache struct {
	tools []string
	// signs are names of files, as patterns, of a project that uses the tool.
	signs  []string
	places []string
}

var caches = []cache{
	{[]string{"go"}, []string{"go.mod", "go.work", "*.go"}, []string{".cache/go-build", "go/pkg"}},
	{[]string{"node", "npm"}, []string{"package.json"}, []string{".npm", ".node-gyp"}},
	{[]string{"yarn"}, []string{"yarn.lock", ".yarnrc*"}, []string{".yarn", ".cache/yarn"}},
	{[]string{"pnpm"}, []string{"pnpm-*.yaml"},
		[]string{".pnpm-store", ".local/share/pnpm/store", ".cache/pnpm", ".local/state/pnpm"}},
	{[]string{"bun"}, []string{"bun.lock*", "bunfig.toml"}, []string{".bun/install/cache"}},
	{[]string{"deno"}, []string{"deno.json*", "deno.lock"}, []string{".cache/deno"}},
	{[]string{"python3", "python"}, []string{"pyproject.toml", "setup.py", "requirements*.txt", "Pipfile",
		"*.py"}, []string{".cache/pip"}},
	{[]string{"uv"}, []string{"uv.lock", "pyproject.toml"}, []string{".cache/uv", ".local/share/uv"}},
	{[]string{"poetry"}, []string{"poetry.lock", "pyproject.toml"}, []string{".cache/pypoetry"}},
	{[]string{"cargo"}, []string{"Cargo.toml"}, []string{".cargo/registry", ".cargo/git"}},
	{[]string{"mvn", "java"}, []string{"pom.xml"}, []string{".m2/repository", ".m2/wrapper"}},
	{[]string{"gradle", "java"}, []string{"*.gradle", "*.gradle.kts"},
		[]string{".gradle/caches", ".gradle/daemon", ".gradle/native",
			".gradle/wrapper", ".gradle/notifications", ".gradle/workers", ".gradle/jdks", ".gradle/.tmp",
			".gradle/kotlin-profile",
			".gradle/undefined-build"}},
	{[]string{"sbt"}, []string{"*.sbt"}, []string{".ivy2", ".sbt/boot", ".cache/coursier"}},
	{[]string{"ruby"}, []string{"Gemfile", "*.gemspec"}, []string{".bundle/cache"}},
	{[]string{"composer"}, []string{"composer.json"}, []string{".composer/cache", ".cache/composer"}},
	{[]string{"mix"}, []string{"mix.exs"}, []string{".hex/packages", ".mix/archives"}},
	{[]string{"dotnet"}, []string{"*.sln", "*.??proj"},
		[]string{".nuget/packages", ".local/share/NuGet", ".dotnet/TelemetryStorageService"}},
	{[]string{"cabal", "stack"}, []string{"*.cabal", "stack.yaml"}, []string{".cabal/packages", ".stack"}},
}

// cacheVariables say where tools keep their caches instead.
var cacheVariables = []string{
	"GOCACHE", "GOMODCACHE", "XDG_CACHE_HOME", "npm_config_cache", "NPM_CONFIG_CACHE", "YARN_CACHE_FOLDER",
	"PIP_CACHE_DIR", "UV_CACHE_DIR", "CARGO_TARGET_DIR", "CCACHE_DIR", "SCCACHE_DIR",
	"PLAYWRIGHT_BROWSERS_PATH", "CYPRESS_CACHE_FOLDER", "NUGET_PACKAGES", "DENO_DIR", "COMPOSER_CACHE_DIR",
}

// cacheFiles are single files that tools lock or touch, where they exist.
var cacheFiles = []string{".cargo/.package-cache", ".cargo/.package-cache-mutate", ".cargo/.global-cache",
	".hex/cache.ets"}

// cachePlaces lists the caches, and makes those that a tool here will want.
func (p *Plan) cachePlaces() []string {
	c := p.c
	var list []string
	// A place that the user names is the user's to have, and another run may be
	// about to use it: it is not taken away again.
	makeDir := func(path string) []string {
		_ = os.MkdirAll(path, 0o755) // a failure shows where it is used
		return []string{path}
	}
	for _, name := range cacheVariables {
		if path := p.setting(name); filepath.IsAbs(path) && !inside(c.Home, path) {
			list = append(list, makeDir(path)...)
		}
	}
	for _, path := range filepath.SplitList(p.setting("GOPATH")) {
		if filepath.IsAbs(path) {
			list = append(list, makeDir(filepath.Join(path, "pkg"))...)
		}
	}
	if path := c.Getenv("CARGO_HOME"); filepath.IsAbs(path) {
		list = append(list, makeDir(filepath.Join(path, "registry"))...)
		list = append(list, makeDir(filepath.Join(path, "git"))...)
		list = append(list, filepath.Join(path, ".package-cache"), filepath.Join(path, ".package-cache-mutate"),
			filepath.Join(path, ".global-cache"))
	}
	if path := c.Getenv("GRADLE_USER_HOME"); filepath.IsAbs(path) {
		list = append(list, makeDir(path)...)
	}
	if c.Home == "" {
		return list
	}
	if runtime.GOOS == "darwin" {
		list = append(list, filepath.Join(c.Home, "Library", "Caches"),
			filepath.Join(c.Home, "Library", "pnpm", "store"))
	}
	list = append(list, filepath.Join(c.Home, ".cache"))
	in := project{c: c}
	for _, tool := range caches {
		for _, place := range tool.places {
			path := filepath.Join(c.Home, filepath.FromSlash(place))
			list = append(list, path)
			if _, err := os.Stat(path); err != nil && in.uses(tool) {
				p.makeDir(path)
			}
		}
	}
	for _, name := range cacheFiles {
		list = append(list, filepath.Join(c.Home, filepath.FromSlash(name)))
	}
	return list
}

// devices may be written to.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
	"/dev/ptmx", "/dev/pts", "/dev/shm", "/dev/mqueue"}

// sharedTemp are the temporary directories of the system: Java and many scripts
// know no other.
var sharedTemp = []string{"/tmp", "/var/tmp"}

// plan computes the places.
func (p *Plan) plan() rules {
	c := p.c
	r := rules{Offline: p.offline, secrets: p.secrets(), root: c.Root}
	wanted := []string{c.Root, p.tmp}
	for _, dir := range sharedTemp {
		// Not where the home directory or the like is in it, as in a test: to be
		// able to make a file there would be to be able to make one in the home.
		dir = resolve(dir)
		if !slices.ContainsFunc(append(r.secrets, c.Home),
			func(s string) bool { return s != "" && inside(s, dir) }) {
			wanted = append(wanted, dir)
		}
	}
	wanted = append(wanted, devices...)
	wanted = append(wanted, p.cachePlaces()...)
	for _, path := range c.Write {
		wanted = append(wanted, p.writePlace(path))
	}
	for _, path := range wanted {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		for _, place := range p.coverWritable(resolve(path), r.secrets) {
			place = p.seen(place)
			if !slices.ContainsFunc(r.Write, func(w string) bool { return inside(place, w) }) {
				r.Write = append(r.Write, place)
			}
		}
	}
	r.Read = cover("/", r.secrets)
	return r
}

// coverWritable is cover for a place to write to. The root may lie in a place
// that is a secret otherwise: booty keeps work trees among its own files.
func (p *Plan) coverWritable(place string, secrets []string) []string {
	if place != p.c.Root && place != p.tmp {
		return cover(place, secrets)
	}
	var within []string
	for _, s := range secrets {
		if inside(s, place) && s != place {
			within = append(within, s)
		}
	}
	if len(within) > 0 {
		p.Notes = append(p.Notes, "the work tree holds secret places ("+strings.Join(within,
			", ")+"): the commands cannot make new files at its top")
	}
	return cover(place, within)
}

// writePlace is a place of Config.Write as a path.
func (p *Plan) writePlace(path string) string {
	switch {
	case path == "~":
		return p.c.Home
	case strings.HasPrefix(path, "~/"):
		return filepath.Join(p.c.Home, path[2:])
	case filepath.IsAbs(path):
		return path
	}
	return filepath.Join(p.c.Root, filepath.FromSlash(path))
}
