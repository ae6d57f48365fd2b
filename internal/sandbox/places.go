package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// secretPlaces are below the home directory, in places that are shown of it or that users
// may name. Files that tools need and that may hold a password among other things (Maven's
// settings.xml, Gradle's properties, pip.conf) are not here: without them the
// tools would not work.
var secretPlaces = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker/config.json", ".netrc", ".git-credentials",
	".config/git/credentials", ".config/gh", ".config/gcloud", ".config/booty", ".local/share/keyrings",
	".local/state/booty/booty.db", ".local/state/booty/booty.db-wal", ".local/state/booty/runs", ".local/state/booty/consent.json",
	".password-store", ".claude.json", ".claude/.credentials.json", "Library/Keychains", "Library/Cookies",
	".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".local/share/gem/credentials",
	".config/composer/auth.json", ".composer/auth.json", ".hex/hex.config", ".mix/hex.config", ".conan2/.conan.db", ".conan/.conan.db",
	".conan2/credentials.json", ".pub-cache/credentials.json", ".local/share/jupyter/runtime", ".m2/settings-security.xml",
	".config/pypoetry/auth.toml", ".local/share/pypoetry/auth.toml",
}

// secretVariables name files or directories that are secrets wherever they are,
// unless the variable itself is let through.
var secretVariables = []string{
	"AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "GOOGLE_APPLICATION_CREDENTIALS", "KUBECONFIG",
	"DOCKER_CONFIG", "GNUPGHOME",
	"NETRC", "SSH_AUTH_SOCK", "GH_CONFIG_DIR", "CLOUDSDK_CONFIG", "AZURE_CONFIG_DIR", "PGPASSFILE",
}

// tokenFiles are secrets only if they hold one of their words: most do not, and
// then the tools should find them.
var tokenFiles = map[string][]string{
	".npmrc": {"_auth", "_password"}, ".yarnrc.yml": {"npmAuth"}, ".yarnrc": {"_auth"},
	".bunfig.toml": {"token", "password"}, ".cargo/config.toml": {"token ="}, ".cargo/config": {"token ="},
	".nuget/NuGet/NuGet.Config": {"packageSourceCredentials"}, ".config/nix/nix.conf": {"access-tokens"},
}

// socketNames are those of sockets, and directories of such, in the user's runtime directory
// and in temporary ones, of programs that do the user's bidding: what reaches one is out
// of the sandbox. Each stays if the variable that leads to it is let through.
var socketNames = map[string]string{
	"bus": "DBUS_SESSION_BUS_ADDRESS", "systemd": "DBUS_SESSION_BUS_ADDRESS", "dbus-*": "DBUS_SESSION_BUS_ADDRESS",
	"gnupg": "GPG_AGENT_INFO", "gpg-*": "GPG_AGENT_INFO",
	"keyring": "SSH_AUTH_SOCK", "keyring-*": "SSH_AUTH_SOCK", "gcr": "SSH_AUTH_SOCK", "ssh-*": "SSH_AUTH_SOCK",
	"tmux-*": "TMUX", "screen*": "STY", "zellij-*": "ZELLIJ", "kitty-*": "KITTY_LISTEN_ON", "mykitty*": "KITTY_LISTEN_ON",
	"vscode-*": "VSCODE_IPC_HOOK_CLI", "nvim*": "NVIM", "emacs*": "EMACS_SOCKET_NAME", "podman*": "DOCKER_HOST",
}

// sockets lists those of programs of the user's that are in shared directories, and, with
// let, those whose variables are let through instead.
func (p *Plan) sockets(let bool) (list []string) {
	for _, dir := range append(p.runtimeDirs(), "/tmp", "/run", p.c.Getenv("TMUX_TMPDIR")) {
		d, err := os.Open(dir)
		if err != nil {
			continue
		}
		names, _ := d.Readdirnames(maxPrograms) // what cannot be read is not shown either
		_ = d.Close()
		for _, name := range names {
			for pattern, variable := range socketNames {
				if ok, _ := filepath.Match(pattern, name); ok && slices.Contains(p.c.Env, variable) == let {
					list = append(list, filepath.Join(dir, name))
				}
			}
		}
	}
	return list
}

// runtimeDirs are where programs of the user's keep their sockets. Commands get an empty
// directory of their own instead, unless the variable is let through.
func (p *Plan) runtimeDirs() (list []string) {
	if slices.Contains(p.c.Env, runtimeVariable) {
		return nil
	}
	for _, dir := range []string{p.c.Getenv(runtimeVariable), "/run/user/" + strconv.Itoa(os.Getuid())} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && filepath.IsAbs(dir) &&
			!inside(p.c.Root, resolve(dir)) &&
			!slices.Contains(list, resolve(dir)) {
			list = append(list, resolve(dir))
		}
	}
	return list
}

const runtimeVariable = "XDG_RUNTIME_DIR"

// secrets lists what exists of the secrets, and says what they keep from tools.
func (p *Plan) secrets() (list, notes []string) {
	c := p.c
	add := func(path string) {
		if path == "" || !filepath.IsAbs(path) {
			return
		}
		if _, err := os.Lstat(path); err != nil {
			return
		}
		path = p.real(resolve(path)) // one in the user's checkout may have a copy in the root
		if path != "/" && !inside(c.Home, path) && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	for _, s := range c.Secrets {
		add(s)
	}
	for _, name := range secretVariables {
		if !slices.Contains(c.Env, name) {
			for _, path := range filepath.SplitList(c.Getenv(name)) {
				add(path)
			}
		}
	}
	add("/run/secrets")
	if p.canMount {
		for _, path := range p.sockets(false) {
			add(path)
		}
	}
	if c.Home == "" {
		return list, nil
	}
	for _, s := range secretPlaces {
		add(filepath.Join(c.Home, filepath.FromSlash(s)))
	}
	if base := c.Getenv("XDG_CONFIG_HOME"); base != "" {
		add(filepath.Join(base, "booty"))
		add(filepath.Join(base, "gh"))
	}
	for name, marks := range tokenFiles {
		path := filepath.Join(c.Home, filepath.FromSlash(name))
		text := readSettings(path)
		if slices.ContainsFunc(marks,
			func(m string) bool { return bytes.Contains(text, []byte(m)) }) {
			add(path)
			notes = append(notes,
				"~/"+name+" holds a token and is hidden from the commands; a command that needs it can have it as a variable named in sandbox.env")
		}
	}
	return list, notes
}

// devices may be written to, and are all that commands see of /dev; terminals are
// those of a file system of their own, where the system gives them one.
var (
	devices   = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/mqueue"}
	terminals = []string{"/dev/ptmx", "/dev/pts"}
)

// sharedTemp are the temporary directories of the system: Java and many scripts
// know no other.
var sharedTemp = []string{"/tmp", "/var/tmp"}

// plan computes the places.
func (p *Plan) plan(in *project) rules {
	c := p.c
	r := rules{Offline: p.offline, root: c.Root}
	var notes []string
	r.secrets, notes = p.secrets()
	p.Notes = append(p.Notes, notes...)
	wanted := append([]string{c.Root, p.tmp, p.runtime}, devices...)
	wanted = append(wanted, p.cachePlaces(in)...)
	for _, path := range c.Write {
		wanted = append(wanted, p.writePlace(path))
	}
	r.home = p.homeView(wanted)
	r.secrets = append(r.secrets, p.withoutSecrets()...)
	closed := slices.Concat(r.secrets, r.home.hidden)
	if p.canMount {
		closed = nil // hidden instead
	}
	for _, dir := range sharedTemp {
		// Not where the home directory or the like is in it, as in a test: to be
		// able to make a file there would be to be able to make one in the home.
		dir = resolve(dir)
		if !slices.ContainsFunc(append(closed, c.Home),
			func(s string) bool { return s != "" && inside(s, dir) }) {
			wanted = append(wanted, dir)
		}
	}
	for _, path := range append(wanted, "/dev/shm") {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		path = resolve(path)
		places := []string{path}
		if !p.canMount {
			places = p.coverWritable(path,
				append(r.secrets[:len(r.secrets):len(r.secrets)], r.home.within(path)...))
		}
		for _, place := range places {
			r.addWrite(p.seen(place))
		}
	}
	if !p.canMount {
		// Of devices, what may be written to may be read: the rest is terminals, disks.
		r.Read = cover("/", append(closed, "/dev"))
		for _, place := range r.home.places {
			r.Read = append(r.Read,
				cover(place, append(r.secrets[:len(r.secrets):len(r.secrets)], r.home.within(place)...))...)
		}
		return r
	}
	for _, path := range terminals {
		r.addWrite(path)
	}
	r.Read, r.Temp = []string{"/"}, p.tmp
	r.Devices = slices.Clone(devices)
	for _, path := range c.Write {
		if strings.HasPrefix(path, "/dev/") {
			r.Devices = append(r.Devices, path)
		}
	}
	return r
}

// addWrite adds a place to write to, unless one that is there holds it.
func (r *rules) addWrite(place string) {
	if !slices.ContainsFunc(r.Write, func(w string) bool { return inside(place, w) }) {
		r.Write = append(r.Write, place)
	}
}

// coverWritable is cover for a place to write to. The root may lie in a place
// that is a secret otherwise: booty keeps work trees among its own files.
func (p *Plan) coverWritable(place string, secrets []string) []string {
	if place != p.c.Root && place != p.tmp && place != p.runtime {
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
