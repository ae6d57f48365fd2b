package githubapi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/booty-cli/booty/internal/testkit"
)

// graphQLDir names the variable that says where the npm package
// @octokit/graphql-schema lies: GitHub's own schema of its GraphQL API.
const graphQLDir = "BOOTY_GITHUB_GRAPHQL"

var loadGraphQL = sync.OnceValues(func() (*ast.Schema, error) {
	dir := os.Getenv(graphQLDir)
	if dir == "" {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(dir, "schema.graphql"))
	if err != nil {
		return nil, err
	}
	doc, err := parser.ParseSchemas(validator.Prelude,
		&ast.Source{Name: "schema.graphql", Input: string(data)})
	if err != nil {
		return nil, err
	}
	for _, d := range doc.Definitions { // as published, some fields stand there twice
		seen := map[string]bool{}
		d.Fields = slices.DeleteFunc(d.Fields, func(f *ast.FieldDefinition) bool {
			twice := seen[f.Name]
			seen[f.Name] = true
			return twice
		})
	}
	return validator.ValidateSchemaDocument(doc)
})

// Queries holds the requests to the GraphQL API, and their variables,
// against GitHub's schema. checked is false where the schema is not there; see
// graphQLDir.
func Queries(requests []testkit.GitHubRequest) (problems []string, checked bool, err error) {
	schema, err := loadGraphQL()
	if schema == nil || err != nil {
		return nil, false, err
	}
	for _, r := range requests {
		if r.Path != "graphql" {
			continue
		}
		var in struct {
			Query     string
			Variables map[string]any
		}
		if err := json.Unmarshal(r.Body, &in); err != nil {
			problems = append(problems, "a GraphQL request that is no JSON: "+err.Error())
			continue
		}
		query, errs := gqlparser.LoadQueryWithRules(schema, in.Query, rules.NewDefaultRules())
		for _, e := range errs {
			problems = append(problems, "GraphQL: "+e.Error())
		}
		if len(errs) > 0 {
			continue
		}
		for _, op := range query.Operations {
			if _, err := validator.VariableValues(schema, op, in.Variables); err != nil {
				problems = append(problems, "GraphQL "+op.Name+": "+err.Error())
			}
		}
	}
	return problems, true, nil
}
