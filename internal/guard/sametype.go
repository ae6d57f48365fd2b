package guard

import "strings"

// An equality that asks for the type alone makes all values of the type equal,
// which is right only for a type that holds none.

var (
	identity = lazy(`\b(this|self)\s*(===?|\bis\b)\s*\w+|\b\w+\s*(===?|\bis\b)\s*(this|self)\b|\bReferenceEquals\([^)]*\)|\bequal\?\(\w+\)|\b\w+\s*(!=|==|is not|is)\s*(null|None|nil)\b`)
	typeTest = lazy(`\binstanceof\b|\bisinstance\(|\bis_a\?|\bkind_of\?|\binstance_of\?|\bgetClass\(\)|\bGetType\(\)|\btype\(|\bis\s+(not\s+)?[A-Z]|\bclass\s*==|\bjavaClass\b|__class__|\.class\b`)
	// typeWords are what such a body is made of.
	typeWords = map[string]bool{"return": true, "if": true, "else": true, "instanceof": true, "isinstance": true, "is": true, "not": true, "and": true, "or": true, "true": true, "false": true,
		"is_a": true, "is_a?": true, "kind_of": true, "instance_of": true, "getClass": true, "GetType": true, "type": true, "class": true, "javaClass": true, "__class__": true, "null": true, "nil": true,
		"this": true, "self": true, "typeof": true, "obj": true, "bool": true, "unless": true, "end": true, "override": true}
	holdsValue    = lazy(`\bself\.\w+\s*(:[^=]+)?=|^\s*(?:(?:public|private|protected|internal|static|final|readonly|var|val|let|const|volatile|lateinit)\s+)*[\w<>\[\], .?]+\s+\w+\s*(?:=[^;]*)?;|\{\s*get\b|^\s*(?:private |public |internal |override |lateinit )*(?:val|var)\s+\w+|^\s*@\w+\s*=|\battr_(?:reader|accessor|writer)\b|^\s*\w+\s*:\s*[\w\[\]., |"']+\s*(?:=.*)?$`)
	holdsInHeader = lazy(`\((?:[^()]*\b(?:val|var)\b|[^()]*\w+\s+\w+)`)
)

// sameTypeOnly tells the body of an equality that looks at nothing but types, in
// line i, where the type around it holds values.
func sameTypeOnly(t *text, i int, body, other string) bool {
	switch t.source.lang.name {
	case "python", "ruby", "java", "kotlin", "csharp":
	default:
		return false
	}
	rest := identity().ReplaceAllString(body, "")
	if !typeTest().MatchString(rest) || strings.Contains(body, "<=>") || strings.Contains(body, "super") || strings.Contains(body, "base.") {
		return false
	}
	for _, name := range ident().FindAllString(rest, -1) {
		if name != other && !typeWords[strings.TrimSuffix(name, "?")] && !typeWords[strings.ToLower(name)] && !(name[0] >= 'A' && name[0] <= 'Z') {
			return false
		}
	}
	holder := t.outline.at[i]
	if holder == nil {
		return false
	}
	if holdsInHeader().MatchString(holder.header) && strings.Contains(holder.header, "class ") && t.source.lang.name != "python" {
		return true
	}
	for k := holder.line + 1; k < len(t.code); k++ {
		if strings.TrimSpace(t.code[k]) == "" {
			continue
		}
		if !within(t.outline.at[k], holder) {
			break
		}
		deep := t.outline.at[k] != holder
		line := strings.TrimRight(t.code[k], "\r\n")
		if holdsValue().MatchString(line) && (!deep || strings.Contains(line, "self.") || strings.HasPrefix(strings.TrimSpace(line), "@")) && !strings.HasPrefix(strings.TrimSpace(line), "return") {
			return true
		}
	}
	return false
}
