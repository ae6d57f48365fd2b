package config

import (
	"fmt"

	"github.com/booty-cli/booty/internal/provider"
)

// connection undoes what precedence alone would mix up: an address, a key's
// variable and a command belong to the provider that the same file names.
// Where a stronger layer names another provider they do not count, lest one
// provider's key is sent to another's address.
func (l *Loaded) connection() {
	for _, name := range []string{"model.base_url", "model.api_key_env", "model.command"} {
		o := l.Origins[name]
		foreign := o.Name == "OPENAI_BASE_URL" && provider.Family(l.Model.Provider) != "openai"
		switch o.Source {
		case FromProject:
			foreign = !l.belongs(l.project)
		case FromUser:
			foreign = !l.belongs(l.user)
		}
		if foreign {
			l.fallBack(name, o)
		}
	}
}

// belongs says whether the file speaks of the provider that is asked.
func (l *Loaded) belongs(d *document) bool {
	return !d.has("model.provider") || provider.Family(d.cfg.Model.Provider) == provider.Family(l.Model.Provider)
}

// fallBack takes the key from the strongest file that speaks of the provider.
func (l *Loaded) fallBack(name string, was Origin) {
	field := keyIndex()[name].field
	was.Note = ""
	o := Origin{Source: FromDefault, Note: fmt.Sprintf("that of %s is not for provider %s", was, l.Model.Provider)}
	value := deref(field(new(Config)))
	for _, f := range []struct {
		doc    *document
		source Source
	}{{l.project, FromProject}, {l.user, FromUser}} {
		if f.doc.has(name) && l.belongs(f.doc) {
			o = Origin{Source: f.source, File: f.doc.path, Line: f.doc.lines[name]}
			value = deref(field(&f.doc.cfg))
			break
		}
	}
	l.Origins[name] = o
	assign(field(&l.Config), value)
}
