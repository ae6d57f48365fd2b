package report

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/journal/record"
)

// Every field that scripts may read of booty status is in the documentation.
func TestTheFieldsOfStatusAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/events.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "## `status --json`")
	if !ok {
		t.Fatal("docs/events.md has no section for status --json")
	}
	for object, v := range map[string]any{
		"| a run |": record.Run{}, "| `pull_requests` |": OpenPullRequest{}, "| `money` |": record.Period{}, "| `days` |": record.Day{},
		"| an attempt |": attemptJSON{}, "| a check |": record.Check{}, "| a call |": record.Call{}, "| `notes` |": record.Note{},
		"| `requests` |": record.Request{}, "| `last_event` |": record.Last{}, "With RUN one object": record.Detail{},
	} {
		_, row, ok := strings.Cut(section, object)
		if !ok {
			t.Errorf("%s is not described", object)
			continue
		}
		end := "\n|"
		if strings.HasPrefix(object, "With") {
			end = "\n\n"
		}
		row, _, _ = strings.Cut(row, end)
		for _, name := range fieldsOf(reflect.TypeOf(v)) {
			if !strings.Contains(row, "`"+name+"`") {
				t.Errorf("%s lacks %s", object, name)
			}
		}
	}
}

// fieldsOf gives the JSON names of a type, those of embedded ones too.
func fieldsOf(t reflect.Type) []string {
	var out []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && f.Type != reflect.TypeFor[time.Time]():
			out = append(out, fieldsOf(f.Type)...)
		case name != "" && name != "-":
			out = append(out, name)
		}
	}
	return out
}
