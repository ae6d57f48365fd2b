package detect

func lookDotnet(d *dir) *Project {
	var solutions []string
	for _, g := range []string{"*.sln", "*.slnx"} {
		solutions = append(solutions, d.match(g)...)
	}
	p := &Project{covers: everything}
	switch {
	case len(solutions) == 1:
		p.Why, p.Test = solutions[0], "dotnet test"
	case len(solutions) > 1:
		p.Why, p.Test = solutions[0], "dotnet test "+shellQuote(solutions[0])
		p.Notes = append(p.Notes, "there are several solutions; the first one is taken")
	default:
		for _, g := range []string{"*.csproj", "*.fsproj", "*.vbproj"} {
			for _, f := range d.match(g) {
				if contains(d.text(f), "Microsoft.NET.Test.Sdk", "MSTest.Sdk", "TUnit", "<IsTestProject>true") {
					p.Why, p.Test = f, "dotnet test"
				}
			}
		}
	}
	if p.Test == "" {
		return nil
	}
	if d.has(".editorconfig") != "" {
		p.Gates = []QualityGate{{"format", "dotnet format --verify-no-changes", "dotnet format"}}
	}
	return p
}
