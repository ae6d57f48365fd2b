package equality

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/source"
	"github.com/booty-cli/booty/internal/pattern"
)

// An equality that asks for the type alone makes all values of the type equal,
// which is right only for a type that holds none.

var (
	identity = pattern.Lazy(`\b(this|self)\s*(===?|\bis\b)\s*\w+|` +
		`\b\w+\s*(===?|\bis\b)\s*(this|self)\b|\bReferenceEquals\([^)]*\)|\bequal\?\(\w+\)|` +
		`\b\w+\s*(!=|==|is not|is)\s*(null|None|nil)\b`)
	typeTest = pattern.Lazy(`\binstanceof\b|\bisinstance\(|\bis_a\?|\bkind_of\?|\binstance_of\?|` +
		`\bgetClass\(\)|\bGetType\(\)|\btype\(|\bis\s+(not\s+)?[A-Z]|\bclass\s*==|\bjavaClass\b|` +
		`__class__|\.class\b`)
	// typeWords are what such a body is made of.
	typeWords = map[string]bool{"return": true, "if": true, "else": true, "instanceof": true,
		"isinstance": true, "is": true, "not": true, "and": true, "or": true, "true": true, "false": true,
		"is_a": true, "is_a?": true, "kind_of": true, "instance_of": true, "getClass": true,
		"GetType": true, "type": true, "class": true, "javaClass": true, "__class__": true, "null": true,
		"nil":  true,
		"this": true, "self": true, "typeof": true, "obj": true, "bool": true, "unless": true,
		"end": true, "override": true}
	holdsValue = pattern.Lazy(`\bself\.\w+\s*(:[^=]+)?=|` +
		`^\s*(?:(?:public|private|protected|internal|static|final|readonly|var|val|let|const|` +
		`volatile|lateinit)\s+)*[\w<>\[\], .?]+\s+\w+\s*(?:=[^;]*)?;|\{\s*get\b|^\s*(?:private |` +
		`public |internal |override |lateinit )*(?:val|var)\s+\w+|^\s*@\w+\s*=|\battr_(?:reader|` +
		`accessor|writer)\b|^\s*\w+\s*:\s*[\w\[\]., |"']+\s*(?:=.*)?$`)
	holdsInHeader = pattern.Lazy(`\((?:[^()]*\b(?:val|var)\b|[^()]*\w+\s+\w+)`)
)

// sameTypeOnly tells the body of an equality that looks at nothing but types, in
// line i, where the type around it holds values.
func sameTypeOnly(t *source.Text, i int, body, other string) bool {
	switch t.Source.Lang.Name {
	case "python", "ruby", "java", "kotlin", "csharp":
	default:
		return false
	}
	rest := identity().ReplaceAllString(body, "")
	if !typeTest().MatchString(rest) || strings.Contains(body, "<=>") ||
		strings.Contains(body, "super") || strings.Contains(body, "base.") {
		return false
	}
	for _, name := range source.Ident().FindAllString(rest, -1) {
		if name != other && !typeWords[strings.TrimSuffix(name, "?")] &&
			!typeWords[strings.ToLower(name)] && !(name[0] >= 'A' && name[0] <= 'Z') {
			return false
		}
	}
	holder := t.Outline.At[i]
	if holder == nil {
		return false
	}
	if holdsInHeader().MatchString(holder.Header) && strings.Contains(holder.Header, "class ") &&
		t.Source.Lang.Name != "python" {
		return true
	}
	for k := holder.Line + 1; k < len(t.Code); k++ {
		if strings.TrimSpace(t.Code[k]) == "" {
			continue
		}
		if !source.Within(t.Outline.At[k], holder) {
			break
		}
		deep := t.Outline.At[k] != holder
		line := strings.TrimRight(t.Code[k], "\r\n")
		if holdsValue().MatchString(line) && (!deep || strings.Contains(line, "self.") ||
			strings.HasPrefix(strings.TrimSpace(line), "@")) &&
			!strings.HasPrefix(strings.TrimSpace(line), "return") {
			return true
		}
	}
	return false
}
