package detect

import "strings"

func lookRust(d *dir) *Project {
	if d.has("Cargo.toml") == "" {
		return nil
	}
	text := d.text("Cargo.toml")
	workspace := strings.Contains(text, "[workspace]") || strings.Contains(text, "[workspace.")
	p := &Project{Tool: "cargo test", Why: "Cargo.toml", Test: "cargo test"}
	if c := d.sub(".config"); c == nil && d.hasFolder(".config") && d.text(".config/nextest.toml") != "" {
		p.Tool, p.Test = "cargo nextest", "cargo nextest run"
	}
	if workspace {
		p.Test += " --workspace"
		p.covers = everything
	}
	if d.has("rustfmt.toml", ".rustfmt.toml") != "" {
		p.Gates = append(p.Gates, Gate{"format", "cargo fmt --check", "cargo fmt"})
	}
	if d.has("clippy.toml", ".clippy.toml") != "" || contains(text, "[lints.clippy", "[workspace.lints.clippy") {
		p.Gates = append(p.Gates, Gate{"lint", "cargo clippy --all-targets -- -D warnings",
			"cargo clippy --all-targets --fix --allow-dirty"})
	}
	return p
}

var rustCommands = language{
	name: "rust",
	sayings: []saying{
		{noRole, `cargo (?:\S+ )*?(?:miri|hack|llvm-cov|tarpaulin|fuzz|bench)\b`},
		{testRole, `cargo (?:\+\S+ )?test (?:\S+ )*(--doc)\b`},
		{testRole, `cargo (?:\+\S+ )?(?:test|nextest run|nextest r|t)\b`},
		{lintRole, `cargo (?:\+\S+ )?clippy\b`}, {formatRole, `cargo (?:\+\S+ )?fmt\b.*--check`},
	},
	actions: map[string]string{"actions-rs/cargo": "cargo {command} {args}",
		"actions-rs/clippy-check": "cargo clippy {args}"},
}
