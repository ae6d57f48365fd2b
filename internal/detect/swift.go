package detect

func lookSwift(d *dir) *Project {
	if d.has("Package.swift") == "" {
		return nil
	}
	if !contains(d.text("Package.swift"), ".testTarget(") && !d.hasFolder("Tests") {
		return &Project{Why: "Package.swift", Notes: []string{"Package.swift has no test target"}}
	}
	p := &Project{Why: "Package.swift", Test: "swift test", covers: everything}
	if d.has(".swiftlint.yml") != "" {
		p.Gates = []QualityGate{{"lint", "swiftlint", "swiftlint --fix"}}
	}
	return p
}
