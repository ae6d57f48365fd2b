package tree

// KnownName reports whether a file without extension is source by its name.
func KnownName(base string) bool {
	switch base {
	case "Makefile", "makefile", "GNUmakefile", "Dockerfile", "Rakefile", "Gemfile", "CMakeLists.txt",
		"Jenkinsfile", "BUILD", "WORKSPACE", "Justfile", "justfile":
		return true
	}
	return false
}

// SourceExt reports whether files with the extension are source.
func SourceExt(ext string) bool {
	switch ext {
	case ".go", ".py", ".pyi", ".pyx", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue",
		".svelte", ".astro", ".rs", ".java", ".kt", ".kts", ".scala", ".groovy", ".clj", ".rb", ".rake",
		".erb",
		".php", ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".m", ".mm",
		".swift", ".cs", ".fs", ".fsx", ".vb", ".ex", ".exs", ".eex", ".heex", ".erl", ".hrl", ".lua", ".pl",
		".pm", ".t", ".sh", ".bash", ".zsh", ".bats", ".ps1", ".hs", ".ml", ".mli", ".elm", ".zig", ".nim",
		".d", ".dart", ".r", ".jl", ".sql", ".proto", ".tf", ".sv", ".svh", ".vhd", ".vhdl", ".bzl", ".bazel",
		".gradle", ".hcl", ".sbt", ".css", ".scss", ".less", ".html", ".yml", ".yaml", ".json", ".toml",
		".md",
		".rst", ".cmake", ".mk", ".s", ".asm", ".cu", ".f90", ".pas", ".cr", ".gleam", ".sol", ".graphql",
		".tpp", ".tcc", ".y", ".l", ".ino", ".rkt", ".scm", ".ss", ".lisp", ".tcl", ".f95", ".f", ".adb",
		".ads", ".lean", ".v", ".purs", ".res", ".vert", ".frag", ".mdx", ".feature", ".robot":
		return true
	}
	return false
}
