package config

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// oldKeys are keys of the earlier booty that mean the same under a new name.
var oldKeys = map[string]string{
	"install_command":   "setup_command",
	"timeout_seconds":   "timeout",
	"max_files_changed": "limits.max_files_changed",
	"max_diff_loc":      "limits.max_diff_lines",
	"max_loc_per_file":  "limits.max_file_lines",
	"forbidden_paths":   "protected_paths",
}

// movedKeys are keys whose meaning changed: they are named with their new
// place, not taken over.
var movedKeys = map[string]string{
	"reviewer":                  "review (enabled, blocking) and model.roles.review",
	"allowed_paths":             "protected_paths and limits, which say what may not be changed",
	"allowed_commands":          "nothing: the model never runs a command",
	"network_policy":            "sandbox.network (true or false)",
	"labels":                    "github.labels",
	"max_loc_per_file_pathspec": "limits.max_file_lines, which counts for every file",
	"planner":                   "nothing: there is no planner",
	"architect":                 "nothing: there is no architect; see model.roles",
	"memory":                    "nothing: runs are kept by themselves, see `booty status`",
	"security":                  "protected_paths, sandbox and gates",
	"release_governor":          "nothing: booty does not release",
	"max_attempts":              "max_retries",
	"auto_merge":                "github.auto_merge and specs.auto_merge",
	"lint_command":              "gates, such as [{name: lint, command: ...}]",
	"typecheck_command":         "gates, such as [{name: typecheck, command: ...}]",
	"base_branch":               "github.base",
	"branch":                    "github.branch",
	"api_key":                   "model.api_key_env, the name of the variable with the key; a key does not belong in a file",
}

// moveOldKeys puts keys of the earlier booty into their new place, with a
// warning, before the strict check.
func (d *document) moveOldKeys(root *yaml.Node, sc scope) {
	if sc != inProject {
		return
	}
	kept := make([]*yaml.Node, 0, len(root.Content))
	var moved [][2]*yaml.Node
	for i := 0; i+1 < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		switch {
		case k.Kind == yaml.ScalarNode && k.Value == "evidence" && v.Kind == yaml.ScalarNode && !isNull(v):
			mode := *k
			mode.Value = "mode"
			kept = append(kept, k, &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: v.Line, Content: []*yaml.Node{&mode, v}})
		case k.Kind == yaml.ScalarNode && oldKeys[k.Value] != "":
			moved = append(moved, [2]*yaml.Node{k, v})
		case k.Kind == yaml.ScalarNode && movedKeys[k.Value] != "":
			d.problemf(k.Line, "key %q is of the earlier booty; its place is taken by %s", k.Value, movedKeys[k.Value])
		default:
			kept = append(kept, k, v)
		}
	}
	root.Content = kept
	for _, m := range moved {
		d.put(root, m[0], m[1])
	}
}

// put adds the pair under the new name, unless the new name is there already.
func (d *document) put(root, k, v *yaml.Node) {
	name := oldKeys[k.Value]
	parent := root
	if len(name) > 7 && name[:7] == "limits." {
		parent = child(root, "limits")
		if parent == nil {
			parent = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: k.Line}
			root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "limits",
				Line: k.Line}, parent)
		}
		if parent.Kind == yaml.AliasNode {
			parent = parent.Alias
		}
		if isNull(parent) {
			*parent = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: k.Line}
		}
		if parent.Kind != yaml.MappingNode {
			return // told by the strict check
		}
	}
	if child(parent, lastPart(name)) != nil {
		d.problemf(k.Line, "key %q is the old name of %q, which is there too: leave one out", k.Value, name)
		return
	}
	d.warnings = append(d.warnings, fmt.Sprintf("%s:%d: %s is now called %s", d.path, k.Line, k.Value, name))
	nk := *k
	nk.Value = lastPart(name)
	parent.Content = append(parent.Content, &nk, v)
}
