package retrieval

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/booty-cli/booty/internal/foreign"
)

// leftOut reports, by name, files that no request should show: generated, vendored, or not
// text.
func leftOut(p string) bool {
	for rest := p; ; {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return leftOutBase(strings.ToLower(rest))
		}
		switch rest[:i] {
		case ".venv", "venv", "__pycache__", ".git", ".yarn", ".next", ".nuxt", ".gradle", ".idea", ".vscode", ".terraform",
			"__snapshots__", ".tox", ".mypy_cache", ".pytest_cache":
			return true
		}
		if foreign.Folder(rest[:i]) {
			return true
		}
		if rest[:i] == "dist" && (languageOf(p) == script || languageOf(p) == style) {
			return true // build output
		}
		rest = rest[i+1:]
	}
}

func leftOutBase(b string) bool {
	switch b {
	case "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lockb", "bun.lock",
		"go.sum", "go.work.sum",
		"cargo.lock", "poetry.lock", "pipfile.lock", "uv.lock", "pdm.lock", "gemfile.lock", "composer.lock",
		"mix.lock", "pubspec.lock",
		"podfile.lock", "package.resolved", "flake.lock", "gradle.lockfile", "packages.lock.json",
		"deno.lock", ".ds_store", "gradlew", "gradlew.bat", "mvnw", "mvnw.cmd":
		return true
	}
	for _, s := range []string{".min.js", ".min.css", ".bundle.js", ".map", ".lock", ".pb.go", ".pb.cc",
		".pb.h",
		"_pb2.py", "_pb2_grpc.py", ".pb.gw.go",
		".g.dart", ".freezed.dart", ".designer.cs", ".g.cs", "_generated.go", ".generated.ts", ".snap",
		".tsbuildinfo"} {
		if strings.HasSuffix(b, s) {
			return true
		}
	}
	if i := strings.LastIndexByte(b, '.'); i >= 0 {
		return binaryExtension(b[i:])
	}
	return false
}

func binaryExtension(ext string) bool {
	switch ext {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".ico", ".icns", ".svg", ".tif", ".tiff", ".psd",
		".avif", ".heic",
		".mp3", ".mp4", ".wav", ".ogg", ".flac", ".mov", ".avi", ".webm", ".mkv", ".woff", ".woff2", ".ttf",
		".otf", ".eot",
		".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar", ".jar", ".war", ".class", ".pyc",
		".pyo",
		".o", ".a", ".so", ".dylib", ".dll", ".exe", ".lib", ".obj", ".wasm", ".node",
		".pdf", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".db", ".sqlite", ".sqlite3", ".bin",
		".dat", ".pack", ".idx", ".parquet", ".npy", ".npz", ".pkl", ".h5", ".onnx", ".pt", ".mo", ".swf",
		".keystore", ".beam", ".rlib", ".pdb", ".dex", ".apk", ".deb", ".rpm", ".iso", ".dmg":
		return true
	}
	return false
}

// binary reports whether contents are not text.
func binary(data []byte) bool {
	head := data[:min(len(data), 8000)]
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	bad := 0
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		}
		i += n
	}
	return bad > len(head)/8+4
}

// generated reports whether a tool has written the contents, judging by the first lines or
// by lines that no person would write.
func generated(p string, data []byte) bool {
	if foreign.Generated(data) {
		return true
	}
	l := languageOf(p)
	if l != script && l != style && l != config || len(data) < 4000 {
		return false
	}
	return len(data)/(bytes.Count(data, []byte{'\n'})+1) > 400
}

func commentStart(s string) bool {
	for _, c := range []string{"//", "#", "/*", "*", "--", ";", "<!--", "%", "\"\"\""} {
		if strings.HasPrefix(s, c) {
			return true
		}
	}
	return false
}
