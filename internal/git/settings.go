package git

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Setting is one value of git's configuration, its key as git prints it.
type Setting struct{ Key, Value string }

// ValueOf is the last value of a key, "" where it is not set.
func ValueOf(all []Setting, key string) string {
	v := ""
	for _, s := range all {
		if strings.EqualFold(s.Key, key) {
			v = s.Value
		}
	}
	return v
}

// IsTrue reads git's words for yes.
func IsTrue(v string) bool {
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// neutral are the values of settings that name a program, or lead to one, where
// nothing is set: a file that is changed later must not set them.
var neutral = []Setting{
	{"core.askpass", ""}, {"gpg.program", "gpg"}, {"gpg.ssh.program", "ssh-keygen"}, {"gpg.x509.program", "gpgsm"},
	{"gpg.ssh.defaultkeycommand", ""}, {"commit.gpgsign", "false"}, {"core.sshcommand", "ssh"},
}

// fixed are settings that are booty's to decide: no monitor, no file that is taken for unchanged,
// no hook that git starts by itself, no look into submodules, no work behind its back. Git writes
// trees on all processors.
var fixed = []Setting{
	{"core.fsmonitor", "false"}, {"core.ignorestat", "false"}, {"diff.ignoresubmodules", "all"},
	{"submodule.recurse", "false"},
	{"status.submodulesummary", "false"},
	{"fetch.recursesubmodules", "false"}, {"push.recursesubmodules", "no"}, {"core.alternaterefscommand", "true"},
	{"checkout.workers", "0"}, {"maintenance.auto", "false"}, {"gc.auto", "0"}, {"rerere.enabled", "false"},
}

// Pins are the settings that git children are given once more, after all files.
func Pins(all []Setting, noHooks string) []Setting {
	var list []Setting
	helpers := false
	for _, s := range all {
		if isHelper(s.Key) && !helpers {
			// One helper too many would be asked as well: begin the list anew.
			list, helpers = append(list, Setting{"credential.helper", ""}), true
		}
		if NamesProgram(s.Key) {
			list = append(list, s)
		}
	}
	for _, n := range neutral {
		if !slices.ContainsFunc(all, func(s Setting) bool { return s.Key == n.Key }) {
			if n.Key == "core.askpass" {
				n.Value = os.Getenv("SSH_ASKPASS") // what git would take instead
			}
			list = append(list, n)
		}
	}
	if !helpers {
		list = append(list, Setting{"credential.helper", ""})
	}
	return append(append(list, fixed...), Setting{"core.hookspath", noHooks})
}

func isHelper(key string) bool {
	return strings.HasPrefix(key, "credential.") && strings.HasSuffix(key, ".helper")
}

// NamesProgram reports whether a setting names a program that booty's git would
// start, or decides whether one is. Settings with several values are left out,
// but for those that begin a new list with an empty one.
func NamesProgram(key string) bool {
	switch key {
	case "core.sshcommand", "core.askpass", "core.attributesfile", "core.excludesfile", "commit.gpgsign", "user.signingkey":
		return true
	}
	section, name, _ := strings.Cut(key, ".")
	name = name[strings.LastIndexByte(name, '.')+1:]
	switch section {
	case "filter", "gpg":
		return true
	case "credential":
		return name == "helper" || name == "usehttppath" || name == "username"
	case "merge":
		return name == "driver" || name == "recursive"
	case "diff":
		return name == "command" || name == "textconv"
	case "remote":
		return name == "uploadpack" || name == "receivepack" || name == "vcs"
	}
	return false
}

// AsEnvironment writes settings as git reads them from the environment.
func AsEnvironment(list []Setting) []string {
	env := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(list))}
	for i, s := range list {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+s.Key, "GIT_CONFIG_VALUE_"+n+"="+s.Value)
	}
	return env
}

// WithoutSettings takes the settings out of an environment.
func WithoutSettings(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_CONFIG_COUNT=") || strings.HasPrefix(kv, "GIT_CONFIG_KEY_") ||
			strings.HasPrefix(kv, "GIT_CONFIG_VALUE_")
	})
}

// SettingsIn gives the settings that an environment holds, such as
// safe.directory in CI.
func SettingsIn(env []string) []Setting {
	values := map[string]string{}
	for _, kv := range env {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_CONFIG_") {
			values[name] = value
		}
	}
	n, err := strconv.Atoi(values["GIT_CONFIG_COUNT"])
	if err != nil {
		return nil
	}
	var list []Setting
	for i := range n {
		if key := values["GIT_CONFIG_KEY_"+strconv.Itoa(i)]; key != "" {
			list = append(list, Setting{key, values["GIT_CONFIG_VALUE_"+strconv.Itoa(i)]})
		}
	}
	return list
}

// LooksLikePath reports whether a word of a command names a file by its place.
func LooksLikePath(word string) bool {
	return strings.ContainsRune(word, '/') && !strings.HasPrefix(word, "-") &&
		!strings.ContainsAny(word, "%$|;&<>")
}

// Quote writes a value as files of settings hold it.
func Quote(v string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(v) + `"`
}

// SSHEnv has git children use an ssh that never asks for a passphrase or a host key; env is
// their environment.
func SSHEnv(env []string, settings []Setting) []string {
	ssh := ""
	for _, kv := range env {
		if strings.HasPrefix(kv, "GIT_SSH=") {
			return nil // a program of the user's own, which takes no further options
		}
		if v, ok := strings.CutPrefix(kv, "GIT_SSH_COMMAND="); ok {
			ssh = v
		}
	}
	if ssh == "" {
		ssh = ValueOf(settings, "core.sshcommand")
	}
	if ssh == "" {
		ssh = "ssh"
	}
	if f := strings.Fields(ssh); len(f) > 0 && strings.HasPrefix(filepath.Base(f[0]), "ssh") {
		ssh += " -o BatchMode=yes"
	}
	return []string{"GIT_SSH_COMMAND=" + ssh}
}

// Within reports whether a path is a directory or below it.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) &&
		!filepath.IsAbs(rel)
}
