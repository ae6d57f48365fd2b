// Package config reads booty's settings: the repository's .booty.yml, the
// user's own file, the environment and the command line, in that rising order
// of precedence above the defaults.
//
// Words: a key is the dotted path of a setting ("model.name"); the layer that
// decided a key is its source, and the place in that layer its origin. The
// project file is the repository's .booty.yml; the user file lies under the
// user's configuration directory and may hold model, budget and sandbox
// settings only.
//
// Promises: files are decoded strictly, and all problems of a file are told at
// once, each with its file, line and the nearest valid key. Nothing is written
// but agreements (see ConsentStore). The table in keys.go is the only list of
// keys: defaults, environment names, flags, ranges, the JSON Schema and
// docs/configuration.md all come from it.
//
// Every message has a line and says what is valid there: neither viper nor the YAML library
// can tell that.
//
// It is not the place where settings are acted upon, nor where the user is
// asked for an agreement: that is the command line's part.
package config
