package testkit

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// OpenAPIDir names the variable that says where the npm package
// @octokit/openapi lies: GitHub's own description of its REST API.
const OpenAPIDir = "BOOTY_GITHUB_OPENAPI"

// openAPI is the part of the description that requests are held against.
type openAPI struct {
	Paths      map[string]map[string]openAPIOperation
	Components struct {
		Schemas    map[string]*openAPISchema
		Parameters map[string]openAPIParameter
	}
}

type openAPIOperation struct {
	Parameters  []openAPIParameter
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema *openAPISchema }
	}
}

type openAPIParameter struct {
	Ref      string `json:"$ref"`
	Name, In string
	Required bool
}

type openAPISchema struct {
	Ref                  string `json:"$ref"`
	Type                 any
	Nullable             bool
	Enum                 []any
	Properties           map[string]*openAPISchema
	Required             []string
	Items                *openAPISchema
	OneOf, AnyOf, AllOf  []*openAPISchema
	AdditionalProperties any
}

var loadOpenAPI = sync.OnceValues(func() (*openAPI, error) {
	dir := os.Getenv(OpenAPIDir)
	if dir == "" {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(dir, "generated", "api.github.com.json"))
	if err != nil {
		return nil, err
	}
	var api openAPI
	// The descriptions of answers and events that are not looked at may have
	// any form; only what is needed is decoded.
	var raw struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct {
			Schemas    map[string]json.RawMessage
			Parameters map[string]openAPIParameter
		}
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	api.Paths = map[string]map[string]openAPIOperation{}
	for path, methods := range raw.Paths {
		api.Paths[path] = map[string]openAPIOperation{}
		for method, text := range methods {
			var op openAPIOperation
			if json.Unmarshal(text, &op) == nil {
				api.Paths[path][method] = op
			}
		}
	}
	api.Components.Parameters = raw.Components.Parameters
	api.Components.Schemas = map[string]*openAPISchema{}
	for name, text := range raw.Components.Schemas {
		var s openAPISchema
		if json.Unmarshal(text, &s) == nil {
			api.Components.Schemas[name] = &s
		}
	}
	if len(api.Paths) == 0 {
		return nil, fmt.Errorf("%s holds no paths", dir)
	}
	return &api, nil
})

// CheckGitHubRequests holds requests against GitHub's published description of
// its REST API and gives what does not fit: an unknown path, method or
// parameter, a body with unknown or missing properties or wrong types. checked
// is false where the description is not there; see OpenAPIDir.
func CheckGitHubRequests(requests []GitHubRequest) (problems []string, checked bool, err error) {
	api, err := loadOpenAPI()
	if api == nil || err != nil {
		return nil, false, err
	}
	for _, r := range requests {
		if r.Path == "graphql" {
			continue // it is not part of the description
		}
		for _, p := range api.check(r) {
			problems = append(problems, r.Method+" "+r.Path+": "+p)
		}
	}
	return problems, true, nil
}

func (a *openAPI) check(r GitHubRequest) []string {
	op, found := a.find(r)
	if !found {
		return []string{"no such operation"}
	}
	var bad []string
	query, err := url.ParseQuery(r.Query)
	if err != nil {
		bad = append(bad, "the query cannot be read")
	}
	known := map[string]bool{}
	for _, p := range op.Parameters {
		if p.Ref != "" {
			p = a.Components.Parameters[p.Ref[strings.LastIndex(p.Ref, "/")+1:]]
		}
		if p.In != "query" {
			continue
		}
		known[p.Name] = true
		if p.Required && !query.Has(p.Name) {
			bad = append(bad, "parameter "+p.Name+" is missing")
		}
	}
	for name := range query {
		if !known[name] {
			bad = append(bad, "unknown parameter "+name)
		}
	}
	if op.RequestBody == nil {
		if len(r.Body) > 0 {
			bad = append(bad, "a body where none is taken")
		}
		return bad
	}
	if len(r.Body) == 0 {
		if op.RequestBody.Required {
			bad = append(bad, "the body is missing")
		}
		return bad
	}
	var body any
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return append(bad, "the body is no JSON")
	}
	return append(bad, a.fits(op.RequestBody.Content["application/json"].Schema, body, "body")...)
}

// find looks for the operation with the fewest variables in its path.
func (a *openAPI) find(r GitHubRequest) (openAPIOperation, bool) {
	path, _, refs := strings.Cut(r.Path, "/git/refs/")
	if refs { // the name of a reference has slashes of its own
		path += "/git/refs/ref"
	}
	got := strings.Split(path, "/")
	var best openAPIOperation
	fewest, found := len(got)+1, false
	for path, methods := range a.Paths {
		want := strings.Split(strings.Trim(path, "/"), "/")
		op, ok := methods[strings.ToLower(r.Method)]
		if !ok || len(want) != len(got) {
			continue
		}
		variables := 0
		for i := range want {
			if strings.HasPrefix(want[i], "{") {
				variables++
			} else if want[i] != got[i] {
				variables = len(got) + 1
				break
			}
		}
		if variables < fewest {
			best, fewest, found = op, variables, true
		}
	}
	return best, found
}

// fits says where a value is not as its schema has it.
func (a *openAPI) fits(s *openAPISchema, v any, at string) []string {
	if s == nil {
		return nil
	}
	if s.Ref != "" {
		return a.fits(a.Components.Schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]], v, at)
	}
	if v == nil {
		if s.Nullable || s.Type == nil {
			return nil
		}
		return []string{at + " is null"}
	}
	var bad []string
	for _, part := range s.AllOf {
		bad = append(bad, a.fits(part, v, at)...)
	}
	for _, choice := range [][]*openAPISchema{s.OneOf, s.AnyOf} {
		if len(choice) > 0 && !a.fitsOne(choice, v, at) {
			bad = append(bad, at+" fits none of the forms allowed")
		}
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		bad = append(bad, fmt.Sprintf("%s is %v, not one of %v", at, v, s.Enum))
	}
	switch kind, _ := s.Type.(string); kind {
	case "string", "boolean", "integer", "number":
		if !isKind(kind, v) {
			bad = append(bad, fmt.Sprintf("%s is %T, not a %s", at, v, kind))
		}
	case "array":
		list, ok := v.([]any)
		if !ok {
			return append(bad, fmt.Sprintf("%s is %T, not an array", at, v))
		}
		for i, x := range list {
			bad = append(bad, a.fits(s.Items, x, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case "object":
		bad = append(bad, a.fitsObject(s, v, at)...)
	}
	return bad
}

func (a *openAPI) fitsObject(s *openAPISchema, v any, at string) []string {
	m, ok := v.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s is %T, not an object", at, v)}
	}
	var bad []string
	for _, name := range s.Required {
		if _, ok := m[name]; !ok {
			bad = append(bad, at+"."+name+" is missing")
		}
	}
	for name, x := range m {
		p, ok := s.Properties[name]
		if !ok {
			if s.AdditionalProperties == nil || s.AdditionalProperties == false {
				bad = append(bad, at+"."+name+" is unknown")
			}
			continue
		}
		bad = append(bad, a.fits(p, x, at+"."+name)...)
	}
	return bad
}

func (a *openAPI) fitsOne(forms []*openAPISchema, v any, at string) bool {
	for _, f := range forms {
		if len(a.fits(f, v, at)) == 0 {
			return true
		}
	}
	return false
}

func isKind(kind string, v any) bool {
	switch x := v.(type) {
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && x == float64(int64(x))
	}
	return false
}
