package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// parse gives the root mapping, or nil where there is none.
func (d *document) parse(data []byte) *yaml.Node {
	if line, bad := foreignByte(data); line > 0 {
		d.problemf(line, "the byte 0x%02x is not UTF-8: save the file in that encoding", bad)
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := safely(func() error { return dec.Decode(&doc) }); err != nil {
		if !errors.Is(err, io.EOF) {
			d.yamlError(err, data)
		}
		return nil
	}
	// A second document would be ignored without a word.
	switch err := safely(func() error { return dec.Decode(&more) }); {
	case err == nil:
		d.problemf(more.Line, "a second document begins here; only one is read")
		return nil
	case !errors.Is(err, io.EOF):
		d.yamlError(err, data)
		return nil
	}
	root := &doc
	if root.Kind == yaml.DocumentNode {
		root = root.Content[0]
	}
	if isNull(root) {
		return nil
	}
	if root.Kind != yaml.MappingNode {
		d.problemf(root.Line, "want keys and values, got %s", describe(root))
		return nil
	}
	return root
}

// foreignByte finds the first byte that is not UTF-8, and its line; 0 where
// there is none. The library tells the wrong line. UTF-16 it can read.
func foreignByte(data []byte) (line int, bad byte) {
	if utf8.Valid(data) || bytes.HasPrefix(data, []byte("\xff\xfe")) ||
		bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return 0, 0
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 {
			return 1 + bytes.Count(data[:at], []byte("\n")), data[at]
		}
		at += size
	}
}

// safely turns a panic of the YAML library, which foreign text has caused
// before, into an error.
func safely(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	return f()
}

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:yaml: )?line (\d+): `) })

// yamlError tells an error of the library in our form.
func (d *document) yamlError(err error, data []byte) {
	texts := []string{err.Error()}
	var te *yaml.TypeError
	if errors.As(err, &te) {
		texts = te.Errors
	}
	for _, t := range texts {
		line := 1 // the library leaves out the number of the first line
		if m := yamlLine().FindStringSubmatch(t); m != nil {
			line, _ = strconv.Atoi(m[1])
			t = t[len(m[0]):]
		}
		t = strings.TrimPrefix(t, "yaml: ")
		if rest, ok := strings.CutPrefix(t, "unknown anchor '"); ok {
			// It leaves out any number here.
			name, _, _ := strings.Cut(rest, "'")
			before, _, _ := bytes.Cut(data, []byte("*"+name))
			line = bytes.Count(before, []byte("\n")) + 1
		}
		d.problemf(line, "%s", t)
	}
}
