package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
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
	"Library/Application Support/Slack", "Library/Group Containers", ".config/booty",
	".local/state/booty/booty.db", ".local/state/booty/booty.db-wal", ".local/state/booty/runs", ".local/state/booty/consent.json",
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
	".bunfig.toml": {"token", "password"},
}

// runtimePlaces are sockets, in the user's runtime directory and in the temporary
// one, of programs that do the user's bidding: what reaches one is out of the
// sandbox. Each stays if the variable that leads to it is let through.
var runtimePlaces = map[string]string{
	"bus": "DBUS_SESSION_BUS_ADDRESS", "systemd": "DBUS_SESSION_BUS_ADDRESS", "gnupg": "GPG_AGENT_INFO",
	"keyring": "SSH_AUTH_SOCK", "gcr": "SSH_AUTH_SOCK", "ssh-*": "SSH_AUTH_SOCK", "tmux-*": "TMUX",
}

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
		for _, dir := range []string{c.Getenv("XDG_RUNTIME_DIR"), c.Getenv("TMUX_TMPDIR"), "/tmp"} {
			for name, variable := range runtimePlaces {
				if slices.Contains(c.Env, variable) {
					continue
				}
				found, _ := filepath.Glob(filepath.Join(dir, name)) // the patterns are right
				for _, path := range found {
					add(path)
				}
			}
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
		path := filepath.Join(c.Home, name)
		text, err := os.ReadFile(path)
		if err == nil && slices.ContainsFunc(marks,
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
func (p *Plan) plan() rules {
	c := p.c
	r := rules{Offline: p.offline, root: c.Root}
	var notes []string
	r.secrets, notes = p.secrets()
	p.Notes = append(p.Notes, notes...)
	closed := r.secrets
	if p.canMount {
		closed = nil // hidden instead
	}
	wanted := append([]string{c.Root, p.tmp}, devices...)
	for _, dir := range sharedTemp {
		// Not where the home directory or the like is in it, as in a test: to be
		// able to make a file there would be to be able to make one in the home.
		dir = resolve(dir)
		if !slices.ContainsFunc(append(closed, c.Home), func(s string) bool { return s != "" && inside(s, dir) }) {
			wanted = append(wanted, dir)
		}
	}
	wanted = append(wanted, p.cachePlaces()...)
	for _, path := range c.Write {
		wanted = append(wanted, p.writePlace(path))
	}
	for _, path := range append(wanted, "/dev/shm") {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		for _, place := range p.coverWritable(resolve(path), closed) {
			r.addWrite(p.seen(place))
		}
	}
	if !p.canMount {
		// Of devices, what may be written to may be read: the rest is terminals, disks.
		r.Read = cover("/", append(closed, "/dev"))
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
