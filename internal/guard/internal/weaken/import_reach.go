package weaken

import (
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// importMeansNothing tells an import of a name that old lines use, and that means to
// them what it meant before.
func (r *reading) importMeansNothing(b binding) bool {
	line := strings.TrimSpace(r.new.Live[b.line])
	switch r.lang.Name {
	case "java":
		return r.hasLine(line) || r.comesAfterMembers(b.name, line) || r.importsOfPackage(line)
	case "kotlin":
		return r.hasLine(line) || r.importsOfPackage(line)
	case "js":
		return b.scope == nil && (r.isElsewhereBound(b.name) || namesGlobal(b.name, line))
	case "python":
		old := &sorter{file: &file{lang: r.lang, path: r.path}, old: r.old}
		return b.scope == nil && (r.isElsewhereBound(b.name) || r.importsPart(line) || old.importsWithin(b.name))
	case "php":
		return r.meansGlobal(line)
	case "rust":
		return r.isOfFunctions(b.name) || r.usesFromThere(b)
	case "csharp":
		return ofPlatform().MatchString(line) || r.namesNamespace(b.name, line)
	case "swift":
		return ofPlatform().MatchString(line)
	}
	return false
}

var (
	plainUsing  = pattern.Lazy(`^using\s+[\w.]+\s*;$`)
	ofNamespace = pattern.Lazy(`^\s*(?:(?:global\s+)?using\s+[\w.]+\s*;|namespace\s+[\w.]+\s*[;{]?)\s*$`)
)

// namesNamespace tells, in C#, a name that old lines have only where they name namespaces: to use
// one more does not bind its name.
func (r *reading) namesNamespace(name, line string) bool {
	return plainUsing().MatchString(line) && !slices.ContainsFunc(r.old.Code, func(code string) bool {
		return source.UsesOf([]string{code}).Alone[name] && !ofNamespace().MatchString(strings.TrimRight(code, "\r\n"))
	})
}

var (
	staticImport = pattern.Lazy(`^import\s+static\s+[\w.]+\.([a-z]\w*)\s*;$`)
	// ofPlatform is the import of one name of a system's own library, in Swift, or of
	// a namespace of it, in C#.
	ofPlatform = pattern.Lazy(`^import\s+(func|var|let)\s+(Android|Bionic|Darwin|Glibc|Musl|WinSDK|ucrt)\.\w+$|` +
		`^using\s+System(\.[A-Z]\w*)*\s*;$`)
	pythonImport = pattern.Lazy(`^import\s+(\w+)(?:\.\w+)*$`)
)

// globalsOf are what modules of the platform export that stands ready in every file.
var globalsOf = map[string]string{
	"process": "process", "console": "console", "perf_hooks": "performance",
	"buffer": "Buffer Blob File atob btoa", "url": "URL URLSearchParams", "util": "TextEncoder TextDecoder",
	"timers":     "setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate",
	"stream/web": "ReadableStream WritableStream TransformStream CompressionStream DecompressionStream",
}

var platformImport = pattern.Lazy(`^import\s+(\w+|\{\s*\w+(?:\s*,\s*\w+)*\s*\})\s+from\s+['"]node:([\w/]+)['"]\s*;?$`)

// namesGlobal tells the import of a global by its own name.
func namesGlobal(name, line string) bool {
	m := platformImport().FindStringSubmatch(line)
	return m != nil && (strings.HasPrefix(m[1], "{") || m[1] == m[2]) &&
		slices.Contains(strings.Fields(globalsOf[m[2]]), name)
}

// comesAfterMembers tells, in Java, the static import of a method that no old line
// imports: what they call is then a member of their class or of one around or above
// it, and members come before imports.
func (r *reading) comesAfterMembers(name, line string) bool {
	m := staticImport().FindStringSubmatch(line)
	if m == nil || m[1] != name {
		return false
	}
	for _, old := range r.old.Live {
		old = strings.TrimSpace(old)
		if strings.HasPrefix(old, "import") && strings.Contains(old, "static") &&
			(strings.Contains(old, "*") || source.UsesOf([]string{old}).Member[name]) {
			return false
		}
	}
	return true
}

// platformType is the import of one type of a platform's own library.
var platformType = pattern.Lazy(`^import\s+((?:java|javax)(?:\.[a-z]\w*)+)\.[A-Z]\w*\s*;?$`)

// importsOfPackage tells, in Java and Kotlin, the import of one type of the platform's
// from a package of which old lines import all.
func (r *reading) importsOfPackage(line string) bool {
	m := platformType().FindStringSubmatch(line)
	return m != nil && slices.ContainsFunc(r.old.Live, func(old string) bool {
		return strings.TrimRight(strings.TrimSpace(old), ";") == "import "+m[1]+".*"
	})
}

// importsPart tells, in Python, the import of a package, or of a part of one, of which old
// lines import another part or the whole: that binds the same name to the same.
func (r *reading) importsPart(line string) bool {
	m := pythonImport().FindStringSubmatch(line)
	return m != nil && slices.ContainsFunc(r.old.Live, func(old string) bool {
		d := pythonImport().FindStringSubmatch(strings.TrimRight(old, " \t\r\n"))
		return d != nil && d[1] == m[1]
	})
}

// isElsewhereBound tells a name that old lines know only as a parameter of a
// function around them, as what a block around them declares, or as the key of a value.
func (r *reading) isElsewhereBound(name string) bool {
	t := r.new
	own := r.declaredInBlocks(name)
	for k, code := range t.Code {
		if slices.ContainsFunc(own, func(b *source.Block) bool { return source.Within(t.Outline.At[k], b) }) {
			continue
		}
		switch r.lang.Name {
		case "js":
			code = withoutArrows(code, name)
		case "python":
			code = importedFrom().ReplaceAllString(code, "")
		}
		if r.added[k] || !source.UsesOf([]string{code}).Alone[name] || r.isKey(k, name) || r.isMember(k, name) {
			continue
		}
		at := t.Outline.At[k]
		if opened := t.Outline.At[k+1]; opened != nil && opened.Line == k {
			at = opened // its own head, which may name it once
			if strings.Count(code, name) > 1 {
				return false
			}
		}
		for r.lang.Name == "js" && at != nil && !takes(at.Header, name) {
			at = at.Parent
		}
		if at == nil || r.lang.Name != "js" {
			return false
		}
	}
	return true
}

// declaredInBlocks are the blocks in which old lines of JavaScript declare a name for themselves.
func (r *reading) declaredInBlocks(name string) (blocks []*source.Block) {
	if r.lang.Name != "js" {
		return nil
	}
	declares := regexp.MustCompile(`^\s*(?:const|let|(?:async\s+)?function\*?)\s+` + regexp.QuoteMeta(name) + `\b`)
	for k, code := range r.new.Code {
		if b := r.new.Outline.At[k]; b != nil && b.Mark == "{" && !r.added[k] && declares.MatchString(code) {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// isMember tells the head of a method of JavaScript of that name, which means nothing alone.
func (r *reading) isMember(i int, name string) bool {
	code := r.new.Code[i]
	return r.lang.Name == "js" && strings.Count(code, name) == 1 && jsMember().MatchString(strings.TrimRight(code, "\r\n")) &&
		!jsControl().MatchString(code) && strings.Contains(code, name+"(")
}

var (
	jsMember  = pattern.Lazy(`^\s*((async|static|get|set)\s+|\*\s*)*\w+\([^()]*\)\s*(:[^{}]*)?\{\s*$`)
	jsControl = pattern.Lazy(`^\s*(if|for|while|switch|with|catch|function)\b`)
)

// isKey tells a line in which a name stands for a value of a call or of a literal
// alone: name: value in JavaScript, name=value within brackets in Python.
func (r *reading) isKey(i int, name string) bool {
	code := strings.TrimRight(r.new.Code[i], "\r\n")
	brackets := r.new.Outline.At[i] != nil && r.new.Outline.At[i].Mark == "("
	for _, m := range source.Ident().FindAllStringIndex(code, -1) {
		if code[m[0]:m[1]] != name {
			continue
		}
		before, after := strings.TrimRight(code[:m[0]], " \t"), code[m[1]:]
		if strings.HasSuffix(before, ".") {
			continue
		}
		first := before == "" || strings.HasSuffix(before, ",")
		js := r.lang.Name == "js" && strings.HasPrefix(after, ":") && (first || strings.HasSuffix(before, "{"))
		python := r.lang.Name == "python" && strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") &&
			(strings.HasSuffix(before, "(") || first && (brackets || strings.Contains(before, "(")))
		if !js && !python {
			return false
		}
	}
	return true
}

// withoutArrows is a line without the functions in it that end with it and have a
// plain parameter of the name.
func withoutArrows(code, name string) string {
	for _, m := range arrow().FindAllStringSubmatchIndex(code, -1) {
		given := m[2:4]
		if given[0] < 0 {
			given = m[4:6]
		}
		if !takes("("+code[given[0]:given[1]]+") =>", name) {
			continue
		}
		depth, end := 0, -1
		for i := m[1]; i < len(code) && end < 0; i++ {
			switch c := code[i]; {
			case strings.IndexByte("([{", c) >= 0:
				depth++
			case strings.IndexByte(")]}", c) >= 0 && depth > 0:
				depth--
			case depth == 0 && strings.IndexByte(")]},;", c) >= 0:
				end = i
			}
		}
		if end >= 0 {
			code = blanked(code, m[0], end)
		}
	}
	return code
}

// importedFrom is where names come from, which binds and uses none itself.
var importedFrom = pattern.Lazy(`^\s*from\s+[\w.]+\s+import\b`)

var arrow = pattern.Lazy(`(?:\b(\w+)|\(([^(){}\[\]=]*)\))\s*=>`)

var parameters = pattern.Lazy(`(?:(?:^|[^\w.])(?:async\s+)?(\w+)\s*=>|\bfunction\b[\s*]*\w*\s*\(([^(){}\[\]=]*)\)|\(([^(){}\[\]=]*)\)\s*=>)\s*$`)

// takes tells the head of a function with a plain parameter of the name.
func takes(head, name string) bool {
	m := parameters().FindStringSubmatch(strings.TrimSpace(head))
	return m != nil && slices.ContainsFunc(strings.Split(m[1]+m[2]+m[3], ","), func(p string) bool {
		p, _, _ = strings.Cut(p, ":") // its type
		return strings.TrimSpace(p) == name
	})
}
