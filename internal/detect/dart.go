package detect

import (
	"strings"
)

func lookDart(d *dir) *Project {
	tool := "dart"
	if strings.Contains(d.text("pubspec.yaml"), "sdk: flutter") {
		tool = "flutter"
	}
	p := &Project{Language: "dart", Why: "pubspec.yaml", Setup: tool + " pub get",
		Test: tool + " test"}
	if !d.hasFolder("test") {
		return &Project{Language: "dart", Why: "pubspec.yaml", Notes: []string{"pubspec.yaml: there is no test folder"}}
	}
	if d.has("analysis_options.yaml") != "" {
		p.Gates = []QualityGate{{"lint", tool + " analyze", "dart fix --apply"}}
	}
	return p
}
