package runner

import (
	"regexp"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/pkg/edit"
)

// The model is shown files with marks such as [REDACTED:github-token] in place of secrets. So its
// reply is resolved against the files as shown, and marks in it become the secrets again: otherwise
// an edit of a file with a secret would not match, or would overwrite it.

var markPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[REDACTED:[^\]\s]*\]`) })

// resolveShown resolves a reply against the files as shown; if that fails for a file with a mark,
// against its bytes: what looked like a secret may be none, and part of the task.
func resolveShown(files shownFS, reply edit.Reply) ([]edit.Change, []edit.Problem) {
	changes, problems := edit.Resolve(files, reply)
	if raw := files.markedAmong(problems); len(raw) > 0 {
		files.raw = raw
		if again, left := edit.Resolve(files, reply); len(left) < len(problems) {
			changes, problems = again, left
		}
	}
	return files.restored(changes, problems)
}

// markedAmong names the files of problems that were not shown as they are.
func (f shownFS) markedAmong(problems []edit.Problem) map[string]bool {
	raw := map[string]bool{}
	for _, p := range problems {
		data, err := f.bytes(p.Path)
		if err == nil && f.redact(string(data)) != string(data) {
			raw[p.Path] = true
		}
	}
	return raw
}

// restored puts the secrets back where changes have their marks.
func (f shownFS) restored(changes []edit.Change, problems []edit.Problem) ([]edit.Change, []edit.Problem) {
	for i := range changes {
		c := &changes[i]
		shown := string(c.Old)
		if c.Old != nil {
			from := c.Path
			if c.From != "" {
				from = c.From
			}
			old, err := f.bytes(from)
			if err != nil {
				problems = append(problems, edit.Problem{Path: c.Path, Reason: err.Error()})
				continue
			}
			if string(old) == shown { // it was read as it is
				shown = f.redact(shown)
			}
			c.Old = old
		}
		text, ok := restoreMarks(string(c.Old), shown, string(c.New))
		if !ok {
			problems = append(problems, edit.Problem{
				Path:   c.Path,
				Reason: "[REDACTED:…] stands for a secret that is not shown. Leave such lines exactly as they are, and write no such mark anywhere else.",
			})
			continue
		}
		if c.New != nil {
			c.New = []byte(text)
		}
	}
	return changes, problems
}

// restoreMarks puts the secrets of old back into text; shown is old with marks. A mark is
// identified by its line; on a changed line by its kind, if the file has only one secret of that
// kind. It returns false if a mark corresponds to nothing in the file.
func restoreMarks(old, shown, text string) (string, bool) {
	marks := markPattern().FindAllStringIndex(text, -1)
	if len(marks) == 0 {
		return text, true
	}
	secrets, ok := secretsOf(old, shown)
	if !ok {
		return text, false
	}
	byLine, byKind := map[string][]string{}, map[string]map[string]bool{}
	for i, at := range markPattern().FindAllStringIndex(shown, -1) {
		kind, key := shown[at[0]:at[1]], markKey(shown, at)
		byLine[key] = append(byLine[key], secrets[i])
		if byKind[kind] == nil {
			byKind[kind] = map[string]bool{}
		}
		byKind[kind][secrets[i]] = true
	}
	var b strings.Builder
	end := 0
	for _, at := range marks {
		kind, key := text[at[0]:at[1]], markKey(text, at)
		secret := ""
		switch queue := byLine[key]; {
		case len(queue) > 0:
			secret = queue[0]
			if len(queue) > 1 { // equal lines: in their order
				byLine[key] = queue[1:]
			}
		case len(byKind[kind]) == 1:
			for secret = range byKind[kind] {
			}
		default:
			return text, false
		}
		b.WriteString(text[end:at[0]])
		b.WriteString(secret)
		end = at[1]
	}
	b.WriteString(text[end:])
	return b.String(), true
}

// markKey is the line of a mark, without indentation, and the mark's place in it.
func markKey(s string, at []int) string {
	from := strings.LastIndexByte(s[:at[0]], '\n') + 1
	to := len(s)
	if i := strings.IndexByte(s[at[1]:], '\n'); i >= 0 {
		to = at[1] + i
	}
	return strings.TrimLeft(s[from:at[0]], " \t") + "\x00" + strings.TrimRight(s[at[0]:to], " \t\r")
}

// secretsOf returns the secret in old for each mark of shown.
func secretsOf(old, shown string) ([]string, bool) {
	pieces := markPattern().Split(shown, -1)
	if !strings.HasPrefix(old, pieces[0]) {
		return nil, false
	}
	var out []string
	rest := old[len(pieces[0]):]
	for i, piece := range pieces[1:] {
		at := strings.Index(rest, piece)
		if i == len(pieces)-2 {
			if !strings.HasSuffix(rest, piece) {
				return nil, false
			}
			at = len(rest) - len(piece)
		}
		if at < 0 {
			return nil, false
		}
		out = append(out, rest[:at])
		rest = rest[at+len(piece):]
	}
	return out, true
}

// problemsOf turns what could not be applied into events' words: what stops the
// whole reply, and the parts that were dropped for protection.
func problemsOf(list []edit.Problem) (problems, refused []event.Problem) {
	for _, p := range list {
		if p.Kind == edit.Protected {
			refused = append(refused, event.Problem{Path: p.Path, Reason: p.Reason, Kind: guard.KindPath})
			continue
		}
		kind := "match"
		if p.Kind == edit.NoEdit {
			kind = engine.KindEmpty
		}
		problems = append(problems, event.Problem{Path: p.Path, Reason: p.Reason, Kind: kind})
	}
	return problems, refused
}
