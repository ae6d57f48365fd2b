package agent

// promptMode is how an agent takes the prompt.
type promptMode int

const (
	byStdin promptMode = iota
	byArg
	byFile
)

// Placeholders in command lines.
const (
	promptText = "{prompt}"
	promptFile = "{prompt_file}"
)

// preset describes one agent.
type preset struct {
	name string
	argv []string
	by   promptMode
	// modelFlag goes after the subcommands.
	modelFlag   string
	subcommands int
	env         []string
	byproducts  []string
	// login is the hint for a failure: usually the agent is not logged in.
	login string
	parse func(stdout []byte) (message string, u Usage, failed string, ok bool)
}

// presets follow the agents' documents of autumn 2026:
//
//	claude        https://docs.claude.com/en/docs/claude-code/headless
//	codex         https://developers.openai.com/codex/noninteractive.md
//	gemini        https://geminicli.com/docs/cli/headless/
//	aider         https://aider.chat/docs/scripting.html
//	opencode      https://www.developersdigest.tech/reference/opencode/cli-flags
//	cursor-agent  https://cursor.com/docs/cli
//	copilot       https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-programmatic-reference
//	amp           https://www.developersdigest.tech/reference/amp/cli-flags
//	goose         https://github.com/aaif-goose/goose/blob/main/documentation/docs/guides/goose-cli-commands.md
//	crush         https://github.com/charmbracelet/crush
var presets = []preset{
	{
		name: "claude", argv: []string{"claude", "-p", "--output-format", "json", "--permission-mode",
			"acceptEdits"},
		modelFlag: "--model", parse: parseClaude, login: "log in once with: claude",
	},
	{
		// Its own sandbox keeps commands inside the work tree. "-" reads the prompt from
		// standard input.
		name: "codex", argv: []string{"codex", "exec", "--sandbox", "workspace-write",
			"--skip-git-repo-check",
			"--json", "-"},
		modelFlag: "-m", subcommands: 1, parse: parseCodex, login: "log in once with: codex login",
	},
	{
		name: "gemini", argv: []string{"gemini", "--approval-mode", "auto_edit", "--output-format", "json"},
		modelFlag: "-m", parse: parseGemini, login: "log in once with: gemini",
	},
	{
		name: "aider", by: byFile, modelFlag: "--model",
		argv: []string{"aider", "--message-file", promptFile, "--yes-always", "--no-auto-commits",
			"--no-dirty-commits",
			"--no-gitignore", "--no-stream", "--no-pretty"},
		byproducts: []string{".aider*", ".aider*/**"},
		login:      "aider reads its key from the environment, such as ANTHROPIC_API_KEY",
	},
	{
		name: "opencode", argv: []string{"opencode", "run", "--auto"},
		modelFlag: "-m", subcommands: 1, login: "log in once with: opencode auth login",
	},
	{
		name: "cursor-agent",
		argv: []string{"cursor-agent", "-p", "--force", "--trust", "--output-format", "json",
			promptText}, by: byArg,
		modelFlag: "--model", parse: parseClaude,
		login: "log in once with: cursor-agent login, or set CURSOR_API_KEY",
	},
	{
		name: "copilot", argv: []string{"copilot", "-s", "--no-ask-user", "--allow-tool=write", "-p",
			promptText}, by: byArg,
		modelFlag: "--model", login: "log in once with: copilot login",
	},
	{
		// It asks for no approvals by default.
		name: "amp", argv: []string{"amp", "-x"}, login: "log in once with: amp login",
	},
	{
		name: "goose", argv: []string{"goose", "run", "--no-session", "-i", "-"},
		env:   []string{"GOOSE_MODE=auto"},
		login: "set it up once with: goose configure",
	},
	{
		name: "crush", argv: []string{"crush", "run", "--quiet"}, modelFlag: "-m", subcommands: 1,
		byproducts: []string{".crush/**"}, login: "set it up once with: crush",
	},
}

func find(name string) (preset, bool) {
	for _, p := range presets {
		if p.name == name {
			return p, true
		}
	}
	return preset{}, false
}

// Presets returns the names of the known agents.
func Presets() []string {
	var names []string
	for _, p := range presets {
		names = append(names, p.name)
	}
	return names
}
