// Package githubapi holds the requests that tests saw against GitHub's published descriptions of
// its REST and GraphQL APIs. In come the requests, out what does not fit; nothing is sent anywhere.
// It is apart from testkit because the libraries that read the descriptions are large.
package githubapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/booty-cli/booty/internal/testkit"
)

// OpenAPIDir names the variable that says where the npm package
// @octokit/openapi lies: GitHub's own description of its REST API.
const OpenAPIDir = "BOOTY_GITHUB_OPENAPI"

// loadOpenAPI reads the description, nil where it is not there.
var loadOpenAPI = sync.OnceValues(func() (routers.Router, error) {
	dir := os.Getenv(OpenAPIDir)
	if dir == "" {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(dir, "generated", "api.github.com.json"))
	if err != nil {
		return nil, err
	}
	data, err = onlyRequests(data)
	if err != nil {
		return nil, err
	}
	api, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		return nil, err
	}
	for _, item := range api.Paths.Map() {
		for _, op := range item.Operations() {
			if op.RequestBody != nil {
				for _, media := range op.RequestBody.Value.Content {
					closed(media.Schema)
				}
			}
		}
	}
	return gorillamux.NewRouter(api)
})

// onlyRequests leaves parameters, bodies and their schemas of the description: with the
// answers, which make up most of its 13 MB, reading it takes ten seconds.
func onlyRequests(data []byte) ([]byte, error) {
	var api struct {
		OpenAPI    string                                           `json:"openapi"`
		Info       json.RawMessage                                  `json:"info"`
		Paths      map[string]map[string]map[string]json.RawMessage `json:"paths"`
		Components map[string]map[string]json.RawMessage            `json:"components"`
	}
	if err := json.Unmarshal(data, &api); err != nil {
		return nil, err
	}
	for _, operations := range api.Paths {
		for method, op := range operations {
			operations[method] = map[string]json.RawMessage{"responses": json.RawMessage("{}")}
			for _, part := range []string{"parameters", "requestBody"} {
				if op[part] != nil {
					operations[method][part] = op[part]
				}
			}
		}
	}
	reference := regexp.MustCompile(`#/components/([a-z]+)/([^"]+)"`)
	text, err := json.Marshal(api.Paths)
	if err != nil {
		return nil, err
	}
	used := map[string]map[string]json.RawMessage{}
	for queue := reference.FindAllSubmatch(text, -1); len(queue) > 0; queue = queue[1:] {
		kind, name := string(queue[0][1]), string(queue[0][2])
		if used[kind] == nil {
			used[kind] = map[string]json.RawMessage{}
		}
		if used[kind][name] == nil {
			used[kind][name] = api.Components[kind][name]
			queue = append(queue, reference.FindAllSubmatch(api.Components[kind][name], -1)...)
		}
	}
	api.Components = used
	return json.Marshal(api)
}

// closed makes objects with known properties take no others: the description leaves
// that open, GitHub ignores them, and a misspelled one would go unnoticed.
func closed(ref *openapi3.SchemaRef) {
	if ref == nil || ref.Value == nil {
		return
	}
	s := ref.Value
	no := false
	if len(s.Properties) > 0 && s.AdditionalProperties.Has == nil && s.AdditionalProperties.Schema == nil {
		s.AdditionalProperties.Has = &no
	}
	for _, p := range s.Properties {
		closed(p)
	}
	closed(s.Items)
}

// Requests holds requests against GitHub's published description of
// its REST API and gives what does not fit: an unknown path, method or
// parameter, a body with unknown or missing properties or wrong types. checked
// is false where the description is not there; see OpenAPIDir.
func Requests(requests []testkit.GitHubRequest) (problems []string, checked bool, err error) {
	router, err := loadOpenAPI()
	if router == nil || err != nil {
		return nil, false, err
	}
	for _, r := range requests {
		if r.Path == "graphql" {
			continue // it is not part of the description
		}
		if err := checkREST(router, r); err != nil {
			problem, _, _ := strings.Cut(err.Error(), "\nSchema:")
			problems = append(problems, r.Method+" "+r.Path+": "+problem)
		}
	}
	return problems, true, nil
}

func checkREST(router routers.Router, r testkit.GitHubRequest) error {
	path, _, refs := strings.Cut(r.Path, "/git/refs/")
	if refs { // the name of a reference has slashes of its own
		path += "/git/refs/ref"
	}
	req, err := http.NewRequestWithContext(context.Background(), r.Method, "http://api/"+path+"?"+r.Query,
		bytes.NewReader(r.Body))
	if err != nil {
		return err
	}
	if len(r.Body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	route, params, err := router.FindRoute(req)
	if err != nil {
		return err
	}
	for name := range req.URL.Query() { // the library lets unknown ones pass
		if route.Operation.Parameters.GetByInAndName(openapi3.ParameterInQuery, name) == nil &&
			route.PathItem.Parameters.GetByInAndName(openapi3.ParameterInQuery, name) == nil {
			return fmt.Errorf("unknown parameter %q", name)
		}
	}
	return openapi3filter.ValidateRequest(req.Context(), &openapi3filter.RequestValidationInput{
		Request: req, PathParams: params, Route: route,
		Options: &openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, RejectWhenRequestBodyNotSpecified: true,
		},
	})
}
