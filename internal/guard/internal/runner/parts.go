package runner

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/booty-cli/booty/internal/testfile"
)

// A partRunner is a file of which only a part concerns the runner: that part must
// stay as it is, the rest is free. slice cuts the part out of the text, in a form
// that two versions can be compared by; exists is false for a file that is absent.
type partRunner struct {
	names []string
	slice func(r *Rules, p, text string, other string) any
	what  string
}

var partRunners = []partRunner{
	{[]string{"**/package.json"}, packageJSON, "its scripts and test sections"},
	{[]string{"**/pyproject.toml"}, pyproject, "its test sections"},
	{[]string{"**/Cargo.toml"}, cargoTOML, "its test tables"},
	{[]string{"**/go.mod"}, goMod, "what it says about tests"},
	{[]string{"**/{GNUmakefile,makefile,Makefile,Makefile.am,Makefile.in,Makefile.inc,*.mk,*.mak}",
		"**/{justfile,.justfile,Justfile}"}, makeFile, "its test targets"},
	{[]string{"**/composer.json"}, composerJSON, "its scripts and test sections"},
	{[]string{"**/deno.{json,jsonc}"}, denoJSON, "its tasks and test sections"},
	{[]string{"**/build.gradle", "**/build.gradle.kts", "**/settings.gradle", "**/settings.gradle.kts",
		"**/gradle.properties", "**/build.sbt", "**/build.xml", "**/*.gradle", "**/*.gradle.kts"},
		blockSlice(gradleWords, standsAside, declaresMainSet, ordersSigning, switchesOn,
			namesTarget, leavesModuleOut), "its test settings"},
	{[]string{"**/pom.xml"}, pomXML, "its test settings"},
	{[]string{"**/mix.exs"}, mixLines, "its test settings"},
	{[]string{"**/{CMakeLists.txt,*.cmake,meson.build,BUILD,BUILD.bazel,Package{,@swift-*}.swift,dune,SConstruct}"},
		lineSlice(cmakeWords), "its lines about tests"},
	{[]string{
		"**/{Rakefile,rakefile,Rakefile.rb,rakefile.rb,*.rake,Guardfile,Taskfile.yml,Taskfile.yaml}",
		"**/{setup.py,Gruntfile.js,gulpfile.js}", "{tasks,dodo}.py",
	}, blockSlice(taskWords, measures, describesGem), "its test tasks"},
	{[]string{"**/build.rs"}, cargoBuild, "what it says about tests"},
	{[]string{"**/{vite,astro,svelte,webpack,rspack,rollup}.config.*"}, blockSlice(viteWords),
		"its test settings"},
	{[]string{"**/{*.csproj,*.fsproj,*.vbproj,*.sln,*.props,*.slnx,global.json}"}, dotnetLines,
		"its test settings"},
	{[]string{"**/Directory.Build.targets"}, dotnetTargets, "what is done when it builds"},
	{[]string{"**/{Gemfile,requirements*.txt,Pipfile}"}, lineSlice(sourceWords),
		"where its test libraries come from"},
	{[]string{"**/{mise,.mise}.toml"}, miseTOML, "its tasks and its environment"},
	{[]string{"**/pnpm-workspace.yaml"}, pnpmWorkspace, "its packages and where they come from"},
	{[]string{"**/setup.cfg"}, setupCfg, "its test sections"},
	{[]string{"**/CMake{,User}Presets.json"}, presets, "its test presets"},
	{[]string{"**/rust-toolchain{,.toml}"}, lineSlice(`^\s*path\b`), "where the toolchain comes from"},
	{[]string{"**/{tsconfig,jsconfig}*.json"}, lineSlice(tsconfigWords), "where it finds test libraries"},
}

// isTemplate tells a template of Mako, of which a source is made: its name is that of a make file.
func isTemplate(p string) bool {
	of, is := strings.CutSuffix(p, ".mak")
	return is && path.Ext(of) != ".inc" && testfile.Language(of) != ""
}

// PartRunnerOf gives what of a file concerns the runner, nil for nothing.
func PartRunnerOf(p string) *partRunner {
	if isTemplate(p) {
		return nil
	}
	for i := range partRunners {
		for _, glob := range partRunners[i].names {
			if doublestar.MatchUnvalidated(glob, p) {
				return &partRunners[i]
			}
		}
	}
	return nil
}
