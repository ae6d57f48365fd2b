package sandbox

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// leadsOut are variables that lead to programs outside of the sandbox which
// would do the user's bidding.
var leadsOut = []string{
	"SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "TMUX", "STY", "ZELLIJ", "KITTY_LISTEN_ON",
	"VSCODE_IPC_HOOK_CLI", "VSCODE_GIT_IPC_HANDLE", "NVIM", "NVIM_LISTEN_ADDRESS", "EMACS_SOCKET_NAME", "EMACS_SERVER_FILE",
	"WEZTERM_UNIX_SOCKET", "SWAYSOCK", "I3SOCK", "WAYLAND_DISPLAY", "WAYLAND_SOCKET",
}

// secretName is how the names of variables end that hold what others must not have.
var secretName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|(?:^|_)PAT|` +
		`(?:API|ACCESS|AUTH|SECRET|PRIVATE|MASTER|SIGNING|ENCRYPTION|ACCOUNT|LICENSE)_?KEY)$`)
})

// tempVariables lead to the commands' temporary directory: that of the system, and what tools
// that write straight into the home directory have instead, unless the user has set it. To add
// one, add its name.
var (
	tempVariables = []string{"TMPDIR", "TMP", "TEMP", "TMUX_TMPDIR"}
	homeVariables = []string{"SPAWN_WRAP_SHIM_ROOT"} // of nyc before 15
)

// environment gives a command its variables: without those that lead out and
// those that look secret, unless the user lets them through.
func (p *Plan) environment(base []string) []string {
	env := make([]string, 0, len(base)+4)
	var withheld []string
	for _, kv := range base {
		name, value, _ := strings.Cut(kv, "=")
		let := slices.Contains(p.c.Env, name)
		switch {
		case slices.Contains(tempVariables, name):
		case name == runtimeVariable && !let:
			env = append(env, runtimeVariable+"="+p.runtime)
		case slices.Contains(leadsOut, name) && !let:
		case value != "" && secretName().MatchString(name) && !let:
			withheld = append(withheld, name)
		default:
			env = append(env, kv)
		}
	}
	p.withhold(withheld)
	if p.npm != "" && !slices.ContainsFunc(env, setsNPMCache) {
		env = append(env, p.npm)
	}
	for _, name := range tempVariables {
		env = append(env, name+"="+p.tmp)
	}
	for _, name := range homeVariables {
		if !slices.ContainsFunc(base, func(kv string) bool { return strings.HasPrefix(kv, name+"=") }) {
			env = append(env, name+"="+p.tmp)
		}
	}
	return env
}

// withhold remembers the names of variables that a command did not get.
func (p *Plan) withhold(names []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range names {
		if !slices.Contains(p.withheld, name) {
			p.withheld = append(p.withheld, name)
		}
	}
}

// Withheld names the variables that commands did not get because they look secret.
func (p *Plan) Withheld() []string {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(slices.Values(p.withheld))
}

// lacking is how programs say that a variable is not set.
var lacking = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)not set|unset|undefined|not defined|missing|required|must be|KeyError|not found|unbound|` +
		`not provided|could ?n.t find|failed to replace env|is empty`)
})

// explainVariable says which withheld variable a text misses.
func (p *Plan) explainVariable(text string) string {
	for _, name := range p.Withheld() {
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
		for line := range strings.Lines(text) {
			if word.MatchString(line) && lacking().MatchString(line) {
				return fmt.Sprintf("the sandbox withholds the variable %s from the commands; if they need it, name it under sandbox.env", name)
			}
		}
	}
	return ""
}
