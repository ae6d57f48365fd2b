package edit

import "testing"

// TestTemplatedYAML: what Ruby's tools fill in first is no YAML before.
func TestTemplatedYAML(t *testing.T) {
	old := "inherit_from:\n  - a.yml\n"
	now := old + "  <% if File.exist?(\"b.yml\") %>\n  - b.yml\n  <% end %>\n"
	if why := parses(".rubocop.yml", old, now, false); why != "" {
		t.Error(why)
	}
	if why := parses(".rubocop.yml", old, old+"  <% b\n: - [\n", false); why == "" {
		t.Error("broken YAML is taken")
	}
}
