package config

import "gopkg.in/yaml.v3"

// wordAsMode makes `evidence: require` what it stands for, {mode: require}.
func wordAsMode(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		if k.Kind != yaml.ScalarNode || k.Value != "evidence" || v.Kind != yaml.ScalarNode || isNull(v) {
			continue
		}
		mode := *k
		mode.Value = "mode"
		root.Content[i+1] = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: v.Line, Content: []*yaml.Node{&mode, v}}
	}
}
