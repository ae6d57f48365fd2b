package retrieval

import (
	"path"
	"strings"
)

// lang is a family of file types that import each other.
type lang uint8

const (
	noLang lang = iota
	golang
	python
	script // JavaScript, TypeScript and languages compiled to them
	rust
	jvm
	ruby
	php
	clang // C, C++, Objective-C
	csharp
	elixir
	shell
	swift
	dart
	lua
	otherCode
	prose  // Markdown and the like
	config // YAML, TOML, JSON, XML
	style  // HTML, CSS
)

func (l lang) code() bool { return l != noLang && l < prose }

// languageOf returns a file's language by its name.
func languageOf(name string) lang {
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return golang
	case ".py", ".pyi", ".pyx":
		return python
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte", ".astro":
		return script
	case ".rs":
		return rust
	case ".java", ".kt", ".kts", ".scala", ".groovy", ".clj":
		return jvm
	case ".rb", ".rake", ".gemspec":
		return ruby
	case ".php":
		return php
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".ipp", ".m",
		".mm", ".cu", ".cuh":
		return clang
	case ".cs", ".fs", ".vb":
		return csharp
	case ".ex", ".exs", ".erl", ".hrl":
		return elixir
	case ".sh", ".bash", ".zsh", ".bats", ".ps1":
		return shell
	case ".swift":
		return swift
	case ".dart":
		return dart
	case ".lua":
		return lua
	case ".sql", ".proto", ".graphql", ".hs", ".ml", ".mli", ".nim", ".zig", ".jl", ".r", ".pl", ".pm", ".tf",
		".elm", ".cmake", ".mk", ".awk", ".v", ".d", ".pas", ".f90", ".asm", ".s", ".el", ".lisp", ".scm",
		".rkt", ".sol", ".cr", ".hx", ".tcl":
		return otherCode
	case ".md", ".mdx", ".rst", ".txt", ".adoc", ".org", ".tex":
		return prose
	case ".yml", ".yaml", ".toml", ".json", ".json5", ".jsonc", ".xml", ".ini", ".cfg", ".properties",
		".gradle", ".csproj":
		return config
	case ".html", ".htm", ".css", ".scss", ".sass", ".less", ".erb", ".ejs", ".hbs", ".twig", ".jinja", ".j2",
		".tmpl":
		return style
	}
	switch base(name) {
	case "Makefile", "GNUmakefile", "Dockerfile", "Rakefile", "Gemfile", "CMakeLists.txt", "Justfile",
		"justfile", "BUILD", "BUILD.bazel", "Jenkinsfile":
		return otherCode
	case "go.mod", "Pipfile", "Procfile":
		return config
	}
	return noLang
}

// base returns the part of a slash path after its last slash; unlike path.Base it never
// returns ".".
func base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// dir returns the folder of a slash path, "" at the top.
func dir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// stemOf returns a file's name without its last extension.
func stemOf(p string) string {
	b := base(p)
	if i := strings.LastIndexByte(b, '.'); i > 0 {
		return b[:i]
	}
	return b
}
