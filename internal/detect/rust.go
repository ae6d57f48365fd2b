package detect

import "strings"

func lookRust(d *dir) *Project {
	if d.has("Cargo.toml") == "" {
		return nil
	}
	text := d.text("Cargo.toml")
	workspace := strings.Contains(text, "[workspace]") || strings.Contains(text, "[workspace.")
	p := &Project{Why: "Cargo.toml", Test: "cargo test"}
	if c := d.sub(".config"); c == nil && d.hasFolder(".config") && d.text(".config/nextest.toml") != "" {
		p.Test = "cargo nextest run"
	}
	if workspace {
		p.Test += " --workspace"
		p.covers = everything
	}
	if d.has("rustfmt.toml", ".rustfmt.toml") != "" {
		p.Gates = append(p.Gates, QualityGate{"format", "cargo fmt --check", "cargo fmt"})
	}
	if d.has("clippy.toml", ".clippy.toml") != "" || contains(text, "[lints.clippy", "[workspace.lints.clippy") {
		p.Gates = append(p.Gates, QualityGate{"lint", "cargo clippy --all-targets -- -D warnings",
			"cargo clippy --all-targets --fix --allow-dirty"})
	}
	return p
}
