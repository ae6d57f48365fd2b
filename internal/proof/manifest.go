package proof

import (
	"bytes"
	"encoding/json"
	"path"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// A manifest says where a kind of build file names what a project takes from others:
// in sections of a tree, or in lines.
type manifest struct {
	name string // a glob of path
	// sections are paths of keys to tables or lists of dependencies; * is any key.
	sections []string
	// line is a line that takes something from a registry, or says nothing.
	line string
}

// manifests are those of which the parts are known. All other build files are
// programs, or go whole.
func manifests() []manifest {
	return []manifest{
		{name: "package.json", sections: []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}},
		{name: "composer.json", sections: []string{"require", "require-dev"}},
		{name: "Cargo.toml", sections: []string{
			"dependencies", "dev-dependencies", "build-dependencies", "workspace dependencies",
			"target * dependencies", "target * dev-dependencies", "target * build-dependencies",
		}},
		{name: "pyproject.toml", sections: []string{
			"project dependencies", "project optional-dependencies *", "dependency-groups *", "build-system requires",
			"tool poetry dependencies", "tool poetry dev-dependencies", "tool poetry group * dependencies",
		}},
		{name: "Pipfile", sections: []string{"packages", "dev-packages"}},
		{name: "go.mod", line: `require(\s*\(|\s+[\w.~/-]+ v\S+.*)|\)|[\w.-]+\.[\w.~/-]+ v[^=]+|(go|toolchain) \S+|//.*`},
		{name: "requirements*.txt", line: `[\w.-]+(\[[\w,. -]+\])?\s*([<>=!~]=?[^@:]*)?(;.*)?|#.*`},
		{name: "Gemfile", line: `gem ["'][\w-]+["'](,\s*["'][^"']+["'])*(,\s*(require:|:require =>) \S+)?|ruby .*|#.*`},
		{name: "*.csproj", line: `<Package(Reference|Version) Include="[\w.-]+" Version="[^"]+"\s*/>`},
		{name: "*.gradle*", line: `\w*([iI]mplementation|[aA]pi|Only|kapt|ksp)[ (]+["'][\w.-]+:[\w.-]+(:[^"':@]+)?["']\)?|//.*`},
	}
}

// registered is what names a package of a registry by its version.
var registered = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^:/@]*$|^(npm|jsr):|^[\w.-]+(\[[\w,. -]+\])?\s*[<>=!~(;][^@]*$`)
})

// keys are those of a table that takes a package from a registry.
var keys = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, k := range []string{"version", "features", "optional", "default-features", "extras", "python", "markers", "workspace", "include-group"} {
		out[k] = true
	}
	return out
})

// WithOldSettings gives a build file as it stood, but for what it now takes from a
// registry. The file as it is comes back where that is all that has changed.
func WithOldSettings(name string, old, now []byte) []byte {
	for _, m := range manifests() {
		if ok, err := path.Match(m.name, path.Base(name)); err != nil || !ok {
			continue
		}
		if m.line != "" {
			return oldLines(regexp.MustCompile(`^\s*(`+m.line+`)?\s*$`), old, now)
		}
		if out := oldSections(m, old, now); out != nil {
			return out
		}
	}
	return old
}

// oldLines gives what stood, or what is where all lines that differ fit.
func oldLines(fits *regexp.Regexp, old, now []byte) []byte {
	for _, texts := range [][2][]byte{{old, now}, {now, old}} {
		count := map[string]int{}
		for line := range bytes.Lines(texts[0]) {
			count[string(bytes.TrimSpace(line))]++
		}
		for line := range bytes.Lines(texts[1]) {
			key := string(bytes.TrimSpace(line))
			if count[key]--; count[key] < 0 && !fits.MatchString(key) {
				return old
			}
		}
	}
	return now
}

// oldSections is nil where one of the two cannot be read.
func oldSections(m manifest, old, now []byte) []byte {
	read, write := json.Unmarshal, writeJSON
	if path.Ext(m.name) != ".json" {
		read, write = toml.Unmarshal, writeTOML
	}
	var was, is map[string]any
	if read(old, &was) != nil || read(now, &is) != nil || was == nil || is == nil {
		return nil
	}
	for _, s := range m.sections {
		renew(was, is, strings.Fields(s))
	}
	if reflect.DeepEqual(was, is) {
		return now
	}
	out, err := write(old, was)
	if err != nil {
		return nil
	}
	return out
}

// renew takes into was what is says of dependencies, below some keys.
func renew(was, is map[string]any, at []string) {
	if at[0] == "*" {
		for k := range is {
			renew(was, is, append([]string{k}, at[1:]...))
		}
		return
	}
	key := at[0]
	if len(at) > 1 {
		deeper, ok := is[key].(map[string]any)
		if !ok {
			return
		}
		into, ok := was[key].(map[string]any)
		if !ok {
			if was[key] != nil {
				return
			}
			into = map[string]any{}
		}
		renew(into, deeper, at[1:])
		if len(into) > 0 {
			was[key] = into
		}
		return
	}
	switch list := is[key].(type) {
	case map[string]any:
		into, _ := was[key].(map[string]any)
		out := map[string]any{}
		for name, spec := range list {
			if fromRegistry(spec) {
				out[name] = spec
			} else if stood, ok := into[name]; ok {
				out[name] = stood
			}
		}
		was[key] = out
	case []any:
		stood, _ := was[key].([]any)
		out := []any{}
		for _, spec := range list {
			if fromRegistry(spec) || has(stood, spec) {
				out = append(out, spec)
			}
		}
		was[key] = out
	case nil:
		delete(was, key)
	}
}

func has(list []any, x any) bool {
	for _, y := range list {
		if reflect.DeepEqual(x, y) {
			return true
		}
	}
	return false
}

// fromRegistry reports whether a dependency is a version of a package.
func fromRegistry(spec any) bool {
	switch s := spec.(type) {
	case string:
		return registered().MatchString(s)
	case map[string]any:
		for k := range s {
			if !keys()[k] {
				return false
			}
		}
		return true
	}
	return false
}

// writeJSON keeps the text of what is not changed: the order of keys may count there.
func writeJSON(old []byte, now map[string]any) ([]byte, error) {
	var texts map[string]json.RawMessage
	if err := json.Unmarshal(old, &texts); err != nil {
		return nil, err
	}
	for k := range texts {
		if _, ok := now[k]; !ok {
			delete(texts, k)
		}
	}
	for k, v := range now {
		var was any
		if _ = json.Unmarshal(texts[k], &was); reflect.DeepEqual(was, v) {
			continue
		}
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		texts[k] = text
	}
	return json.MarshalIndent(texts, "", "  ")
}

func writeTOML(_ []byte, now map[string]any) ([]byte, error) {
	var b bytes.Buffer
	err := toml.NewEncoder(&b).Encode(now)
	return b.Bytes(), err
}
