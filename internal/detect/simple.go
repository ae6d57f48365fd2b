package detect

// simple are tool chains that one file gives away.
var simple = []struct {
	language, file, tool, setup, test string
}{
	{"bazel", "MODULE.bazel", "bazel test", "", "bazel test //..."},
	{"bazel", "WORKSPACE", "bazel test", "", "bazel test //..."},
	{"zig", "build.zig", "zig build test", "", "zig build test"},
	{"scala", "build.sbt", "sbt", "", "sbt test"},
	{"clojure", "project.clj", "lein", "", "lein test"},
	{"haskell", "stack.yaml", "stack", "", "stack test"},
	{"haskell", "cabal.project", "cabal", "", "cabal test all"},
	{"ocaml", "dune-project", "dune", "", "dune test"},
	{"gleam", "gleam.toml", "gleam", "", "gleam test"},
	{"perl", "cpanfile", "prove", "", "prove -lr t"},
	{"perl", "Makefile.PL", "prove", "", "prove -lr t"},
	{"erlang", "erlang.mk", "make", "", "make tests"},
	{"erlang", "rebar.config", "rebar3", "", "rebar3 eunit"},
	{"r", "DESCRIPTION", "testthat", "", `Rscript -e "devtools::test()"`},
	{"lua", ".busted", "busted", "", "busted"},
}

func lookOther(d *dir) *Project {
	if d.has("pubspec.yaml") != "" {
		return lookDart(d)
	}
	for _, s := range simple {
		if d.has(s.file) == "" || s.language == "perl" && !d.hasFolder("t") || s.language == "r" && !d.hasFolder("tests") {
			continue
		}
		return &Project{Language: s.language, Why: s.file, Setup: s.setup, Test: s.test, covers: everything}
	}
	return nil
}
