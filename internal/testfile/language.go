package testfile

import (
	"path"
	"strings"
)

// languages are the names of the languages of source files by their extensions.
var languages = map[string]string{
	".go": "go",
	".py": "python", ".pyi": "python", ".pyw": "python",
	".js": "js", ".jsx": "js", ".mjs": "js", ".cjs": "js", ".ts": "js", ".tsx": "js", ".mts": "js",
	".cts": "js",
	".vue": "js", ".svelte": "js",
	".rs":   "rust",
	".java": "java",
	".kt":   "kotlin", ".kts": "kotlin", ".scala": "kotlin", ".groovy": "kotlin",
	".rb": "ruby", ".rake": "ruby",
	".php": "php", ".phpt": "php",
	".ex": "elixir", ".exs": "elixir",
	".c": "c", ".h": "c", ".cc": "c", ".cpp": "c", ".cxx": "c", ".hh": "c", ".hpp": "c", ".hxx": "c",
	".m":  "c",
	".mm": "c", ".inc": "c",
	".cs":    "csharp",
	".swift": "swift",
	".sh":    "shell", ".bash": "shell", ".bats": "shell", ".zsh": "shell",
	".dart": "dart",
	".lua":  "lua",
	".pl":   "perl", ".pm": "perl", ".t": "perl",
	".cr":  "crystal",
	".zig": "zig",
	".erl": "erlang", ".hrl": "erlang", ".tcl": "tcl", ".exp": "tcl", ".el": "lisp", ".scm": "lisp",
	".rkt": "lisp",
	".r":   "r", ".ps1": "powershell", ".hs": "haskell", ".clj": "clojure", ".cljs": "clojure",
	".cljc": "clojure",
	".ml":   "ocaml", ".jl": "julia", ".nim": "nim", ".fs": "fsharp", ".coffee": "coffee",
	".vb": "other", ".feature": "other",
}

// Language names the language of a source file by its extension, "" for data.
func Language(p string) string {
	if path.Base(p) == "Makefile.inc" {
		return ""
	}
	ext := path.Ext(p)
	if lang, is := languages[ext]; is {
		return lang
	}
	return languages[strings.ToLower(ext)]
}
