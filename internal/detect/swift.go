package detect

func lookSwift(d *dir) *Project {
	if d.has("Package.swift") == "" {
		return nil
	}
	if !contains(d.text("Package.swift"), ".testTarget(") && !d.hasFolder("Tests") {
		return &Project{Why: "Package.swift", Notes: []string{"Package.swift has no test target"}}
	}
	p := &Project{Tool: "swift test", Why: "Package.swift", Test: "swift test", covers: everything}
	if d.has(".swiftlint.yml") != "" {
		p.Gates = []Gate{{"lint", "swiftlint", "swiftlint --fix"}}
	}
	return p
}

var swiftCommands = language{
	name: "swift",
	sayings: []saying{
		{testRole, `swift test\b`},
		{lintRole, `swiftlint\b`},
		{formatRole, `(?:swift format lint|swift-format lint|swiftformat .*--lint)\b`},
	},
	// Reusable workflows of the language's own and of a well-known framework.
	actions: map[string]string{
		"swiftlang/github-workflows/.github/workflows/swift_package_test.yml": "swift test",
		"vapor/ci/.github/workflows/run-unit-tests.yml":                       "swift test",
	},
}
